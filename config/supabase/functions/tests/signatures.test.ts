import assert from "node:assert/strict";
import { KeySet } from "../provider-webhook/keys.ts";
import { PublicKey, refusalOfFal, refusalOfReplicate } from "../provider-webhook/signatures.ts";
import { falKey, serve } from "./stand.ts";

// The example that Replicate's clients are tested with (replicate-javascript and replicate-python, webhook tests);
// it is the one of the scheme that Replicate uses, Standard Webhooks.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const example = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const body = `{"test": 2432232314}`;
const bytes = (text: string) => new TextEncoder().encode(text);
const at = (seconds: number) => new Date(seconds * 1000);

Deno.test("Replicate's example is accepted, and nothing that differs from it", async () => {
  const rows: [string, Partial<typeof example>, string, string, number, string | undefined][] = [
    ["as documented", {}, body, secret, 0, undefined],
    [
      "one of several signatures",
      { "webhook-signature": `v1,AAAA v2,x ${example["webhook-signature"]}` },
      body,
      secret,
      0,
      undefined,
    ],
    ["300 s late", {}, body, secret, 300, undefined],
    ["301 s late", {}, body, secret, 301, "signed at another time"],
    ["300 s early", {}, body, secret, -300, undefined],
    ["301 s early", {}, body, secret, -301, "signed at another time"],
    ["a body of the same meaning", {}, `{"test":2432232314}`, secret, 0, "the signature is wrong"],
    ["another id", { "webhook-id": "msg_x" }, body, secret, 0, "the signature is wrong"],
    ["a time set later", { "webhook-timestamp": "1614265331" }, body, secret, 0, "the signature is wrong"],
    ["no number as time", { "webhook-timestamp": "1e9" }, body, secret, 0, "signed at another time"],
    [
      "another version",
      { "webhook-signature": example["webhook-signature"].replace("v1", "v2") },
      body,
      secret,
      0,
      "the signature is wrong",
    ],
    ["no Base64", { "webhook-signature": "v1,%%%" }, body, secret, 0, "the signature is wrong"],
    ["no signature", { "webhook-signature": "" }, body, secret, 0, "not signed"],
    ["another secret", {}, body, "whsec_AAAA", 0, "the signature is wrong"],
    ["a secret that is none", {}, body, "whsec_%", 0, "REPLICATE_WEBHOOK_SECRET is not Base64"],
  ];
  for (const [what, changes, text, key, late, refusal] of rows) {
    const headers = new Headers({ ...example, ...changes });
    assert.equal(await refusalOfReplicate(headers, bytes(text), key, at(1614265330 + late)), refusal, what);
  }
});

Deno.test("fal's scheme is accepted from our account only, and nothing that differs from what was signed", async () => {
  const key = await falKey(), other = await falKey();
  const signed = await key.headers(body, "request-1", "ours", 1_800_000_000);
  const others = await key.headers(body, "request-1", "theirs", 1_800_000_000);
  const wrong = "the signature is wrong";
  const rows: [string, Record<string, string>, string, PublicKey[], number, string | undefined][] = [
    ["as documented", {}, body, [key.public], 0, undefined],
    [
      "any of several keys",
      {},
      body,
      [{ kty: "RSA" }, { kty: "OKP", crv: "Ed25519", x: "AA" }, other.public, key.public],
      0,
      undefined,
    ],
    ["300 s late", {}, body, [key.public], 300, undefined],
    ["301 s late", {}, body, [key.public], 301, "signed at another time"],
    ["301 s early", {}, body, [key.public], -301, "signed at another time"],
    ["another body", {}, body + " ", [key.public], 0, wrong],
    ["another request", { "x-fal-webhook-request-id": "request-2" }, body, [key.public], 0, wrong],
    ["our account in another's call", { ...others, "x-fal-webhook-user-id": "ours" }, body, [key.public], 0, wrong],
    [
      "another account",
      others,
      body,
      [key.public],
      0,
      `signed for the fal account "theirs", and FAL_USER_ID is "ours"`,
    ],
    ["another key", {}, body, [other.public], 0, wrong],
    ["no key", {}, body, [], 0, wrong],
    ["half a signature", { "x-fal-webhook-signature": "ab" }, body, [key.public], 0, "not signed"],
  ];
  for (const [what, changes, text, keys, late, refusal] of rows) {
    const headers = new Headers({ ...signed, ...changes });
    assert.equal(await refusalOfFal(headers, bytes(text), keys, "ours", at(1_800_000_000 + late)), refusal, what);
  }
});

Deno.test("keys are fetched once a day, and when none fits at most once a minute", async () => {
  let fetches = 0, isDown = false;
  const server = serve(() => {
    fetches += 1;
    return isDown ? new Response("down", { status: 500 }) : Response.json({ keys: [{ x: String(fetches) }] });
  });
  const keys = new KeySet(server.url);
  const ask = async (seconds: number, renewed = false) => (await keys.at(at(1e9 + seconds), renewed))[0].x;
  assert.equal(await ask(0), "1");
  assert.equal(await ask(86_399), "1");
  assert.equal(await ask(86_400), "2");
  assert.equal(await ask(86_459, true), "2", "a minute has not passed");
  assert.equal(await ask(86_460, true), "3");
  isDown = true;
  assert.equal(await ask(200_000), "3", "old keys are better than none");
  await assert.rejects(new KeySet(server.url).at(at(0)));
  await server.stop();
});
