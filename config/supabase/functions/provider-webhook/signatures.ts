// Who sent a webhook. A check returns why it is refused, or nothing.

/** Seconds that a webhook may be early or late: a call that was listened to can be made again. */
const tolerance = 300;

const text = new TextEncoder();

/** Whether the time that a header gives is now, more or less. */
function isTimely(seconds: string, now: Date): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(now.getTime() / 1000 - Number(seconds)) <= tolerance;
}

/**
 * Checks Replicate's signature: HMAC-SHA256 of "webhook-id.webhook-timestamp.body", in Base64, one of several.
 *
 * Source: replicate.com/docs/topics/webhooks/verify-webhook.
 */
export async function refusalOfReplicate(
  headers: Headers,
  body: Uint8Array,
  secret: string,
  now: Date,
): Promise<string | undefined> {
  const id = headers.get("webhook-id"), time = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (!id || !time || !signatures) return "not signed";
  if (!isTimely(time, now)) return "signed at another time";
  const bytes = base64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) return "REPLICATE_WEBHOOK_SECRET is not Base64";
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const message = new Uint8Array([...text.encode(`${id}.${time}.`), ...body]);
  for (const one of signatures.split(" ")) {
    const signature = one.startsWith("v1,") ? base64(one.slice(3)) : undefined;
    if (signature && await crypto.subtle.verify("HMAC", key, signature, message)) return undefined;
  }
  return "the signature is wrong";
}

/** A public key of a JSON Web Key Set (RFC 7517, RFC 8037). */
export interface PublicKey {
  kty?: string;
  crv?: string;
  x?: string;
}

/**
 * Checks fal's signature: Ed25519, in hex, over four lines: request id, user id, time, SHA-256 of the body in hex.
 *
 * fal signs for all its customers with the same keys, so the account is checked, too.
 * Source: docs.fal.ai/model-endpoints/webhooks.
 */
export async function refusalOfFal(
  headers: Headers,
  body: Uint8Array,
  keys: PublicKey[],
  account: string,
  now: Date,
): Promise<string | undefined> {
  const [request, user, time, signature] = ["request-id", "user-id", "timestamp", "signature"]
    .map((name) => headers.get(`x-fal-webhook-${name}`) ?? "");
  if (!request || !user || !/^[0-9a-f]{128}$/i.test(signature)) return "not signed";
  if (!isTimely(time, now)) return "signed at another time";
  const digest = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(body))));
  const message = text.encode([request, user, time, digest].join("\n"));
  for (const { kty, crv, x } of keys) {
    if (kty !== "OKP" || crv !== "Ed25519" || !x) continue;
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]).catch(() => null);
    if (key && await crypto.subtle.verify("Ed25519", key, unhex(signature), message)) {
      return user === account ? undefined : `signed for the fal account "${user}", and FAL_USER_ID is "${account}"`;
    }
  }
  return wrongKey;
}

/** What is said where no key fits: the keys may have changed. */
export const wrongKey = "the signature is wrong";

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}
