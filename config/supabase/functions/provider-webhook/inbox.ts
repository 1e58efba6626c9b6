// What providers call when a job has ended: .../provider-webhook/fal and .../provider-webhook/replicate. It checks who
// calls, writes one row into rescue_inbox and answers; files are fetched by an agent, which has the time for it.

import { answer, call, object, Project } from "../_shared/project.ts";
import { KeySet } from "./keys.ts";
import { refusalOfFal, refusalOfReplicate, wrongKey } from "./signatures.ts";

/** What calls are received with. */
export interface Desk {
  project: Project;
  /** The secret that Replicate signs with; without it its calls are refused. */
  replicateSecret: string;
  /** The account that fal signs for; without it its calls are refused, and the log says which one it was. */
  falAccount: string;
  falKeys: KeySet;
  /** The user whose files they are, where an order does not say; "" for the service role's. */
  owner: string;
  now: () => Date;
}

/** One ended job, as the inbox takes it. */
interface Ended {
  job: string;
  status: "succeeded" | "failed";
  payload: unknown;
  error: string | null;
}

/** A provider: who may call in its name, and what its calls say; `null` for a job that goes on. */
interface Caller {
  refusal: (desk: Desk, headers: Headers, body: Uint8Array) => Promise<string | undefined>;
  ended: (body: Record<string, unknown>, headers: Headers) => Ended | null | undefined;
}

/** Bytes; what generated videos return are links, not files. */
const limit = 4 << 20;

/** The function's handler. */
export function inbox(desk: Desk): (request: Request) => Promise<Response> {
  return async (request) => {
    const address = new URL(request.url);
    const provider = address.pathname.split("/").filter(Boolean).at(-1) ?? "";
    const caller = Object.hasOwn(callers, provider) ? callers[provider] : undefined;
    if (!caller) return answer(404, { error: `Wanted: .../${Object.keys(callers).join(" or .../")}` });
    if (request.method !== "POST") return answer(405, { error: "Wanted: POST" }, { "Allow": "POST" });
    try {
      const body = await bytes(request);
      if (!body) return answer(413, { error: "Too large" });
      const refusal = await caller.refusal(desk, request.headers, body);
      if (refusal) {
        console.error(`provider-webhook: refused a call in the name of ${provider}: ${refusal}`);
        return answer(401, { error: "Not accepted" });
      }
      const ended = caller.ended(parsed(body) ?? {}, request.headers);
      if (ended === undefined) return answer(400, { error: "Not a result" });
      if (ended) await received(desk, provider, ended, address.searchParams.get("order"));
      return answer(200, { received: ended !== null });
    } catch (error) {
      // The provider calls again.
      console.error(`provider-webhook: ${error}`);
      return answer(503, { error: "Try again" }, { "Retry-After": "30" });
    }
  };
}

async function received(desk: Desk, provider: string, ended: Ended, order: string | null): Promise<void> {
  await call(desk.project, "receive_rescue", {
    p_provider: provider,
    p_job: ended.job,
    p_status: ended.status,
    p_payload: ended.payload ?? null,
    p_error: ended.error?.slice(0, 1000) ?? null,
    p_reference: order?.slice(0, 100) ?? null,
    p_owner: desk.owner || null,
  });
}

const callers: Record<string, Caller> = {
  fal: {
    async refusal(desk, headers, body) {
      const check = (keys: Parameters<typeof refusalOfFal>[2]) =>
        refusalOfFal(headers, body, keys, desk.falAccount, desk.now());
      const refusal = await check(await desk.falKeys.at(desk.now()));
      return refusal === wrongKey ? await check(await desk.falKeys.at(desk.now(), true)) : refusal;
    },
    ended(body, headers) {
      const job = word(body.request_id);
      if (!job || job !== headers.get("x-fal-webhook-request-id")) return undefined;
      if (body.status === "OK") {
        return { job, status: "succeeded", payload: body.payload, error: word(body.payload_error) };
      }
      if (body.status !== "ERROR") return undefined;
      return { job, status: "failed", payload: body.payload, error: word(body.error) ?? "fal gave no reason" };
    },
  },
  replicate: {
    async refusal(desk, headers, body) {
      if (!desk.replicateSecret) return "REPLICATE_WEBHOOK_SECRET is not set";
      return await refusalOfReplicate(headers, body, desk.replicateSecret, desk.now());
    },
    ended(body) {
      const job = word(body.id), status = word(body.status);
      if (!job || !status) return undefined;
      // The prompt and the log stay with the provider.
      const payload = {
        output: body.output,
        model: body.model,
        version: body.version,
        completed_at: body.completed_at,
      };
      if (status === "succeeded") return { job, status, payload, error: null };
      if (!["failed", "canceled", "aborted"].includes(status)) return null;
      return { job, status: "failed", payload, error: word(body.error) ?? status };
    },
  },
};

function word(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}

function parsed(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    return object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

/** The body as it was sent, since every byte of it is signed; `undefined` past the limit. */
async function bytes(request: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of request.body ?? []) {
    count += chunk.length;
    if (count > limit) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
