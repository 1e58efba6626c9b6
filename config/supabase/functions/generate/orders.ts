// Orders of generated videos. POST takes one, GET ?job_id= says how it stands; both for the signed-in user only.
//
// The database decides (generation.sql): it charges and reserves the idempotency key in one transaction, and lets
// one caller only hand the job to fal. Where this function dies between two steps, the same request made again goes
// on from there, and what nothing is heard of expires and is refunded.

import { answer, call, object, Project } from "../_shared/project.ts";
import { Fal, state, submit } from "./fal.ts";

/** What orders are handled with. */
export interface Desk {
  project: Project;
  fal: Fal;
}

interface Job {
  job_id: string;
  status: string;
  error_message: string | null;
  credits_used: number;
  credits_remaining: number;
}

interface Decision {
  outcome: string;
  job?: Job;
  retry_after?: number;
  [fact: string]: unknown;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What each refusal of `order_generation` is answered with. */
const refusals: Record<string, [number, string]> = {
  "no model": [404, "Model not found"],
  "bad settings": [400, "These settings are not offered for this model"],
  "other order": [422, "This Idempotency-Key was used for another order. Send a new key with a new order."],
  "quota": [429, "Too many orders within an hour"],
  "credits": [402, "Insufficient credits"],
};

/** The function's handler. */
export function orders(desk: Desk): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const user = await signedIn(desk.project, request);
      if (!user) return answer(401, { error: "Unauthorized" });
      if (request.method === "POST") return await order(desk, user, request);
      if (request.method === "GET") return await status(desk, user, request);
      return answer(405, { error: "POST an order, or GET ?job_id=" }, { "Allow": "GET, POST" });
    } catch (error) {
      console.error(`generate: ${error}`);
      return answer(503, { error: "Try again with the same Idempotency-Key" }, { "Retry-After": "5" });
    }
  };
}

/** The id of the user whose token came with the request, as the project's Auth says. */
async function signedIn(project: Project, request: Request): Promise<string | undefined> {
  const token = request.headers.get("Authorization");
  if (!token) return undefined;
  const response = await fetch(`${project.url}/auth/v1/user`, {
    headers: { "apikey": project.serviceKey, "Authorization": token },
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`Auth answered ${response.status}`);
  return response.ok ? JSON.parse(text).id : undefined;
}

async function order(desk: Desk, user: string, request: Request): Promise<Response> {
  const key = request.headers.get("Idempotency-Key") ?? "";
  if (!uuid.test(key)) return answer(400, { error: "Idempotency-Key header required, a UUID for each order" });
  const body = object(await request.json().catch(() => undefined));
  const settings = object(body?.settings ?? {});
  const prompt = body?.prompt;
  if (
    typeof body?.model_id !== "string" || typeof prompt !== "string" || !prompt || prompt.length > 20_000 || !settings
  ) {
    return answer(400, { error: "Wanted: model_id, prompt (up to 20,000 characters), settings" });
  }
  const decision = await call<Decision>(desk.project, "order_generation", {
    p_user: user,
    p_key: key,
    p_model: body.model_id,
    p_prompt: prompt,
    p_settings: settings,
  });
  const { outcome, job, ...facts } = decision;
  if (!job) {
    const [code, error] = refusals[outcome] ?? [500, outcome];
    const headers: Record<string, string> = facts.retry_after ? { "Retry-After": String(facts.retry_after) } : {};
    return answer(code, { error, ...facts }, headers);
  }
  const headers: Record<string, string> = outcome === "replay" ? { "X-Idempotent-Replay": "true" } : {};
  const error = job.status === "pending" ? await send(desk, job.job_id) : job.error_message;
  if (job.status === "failed" || error) {
    return answer(502, { error: `The provider failed, nothing was charged: ${error}`, job_id: job.job_id }, headers);
  }
  const { job_id, status, credits_used, credits_remaining } = job;
  return answer(200, { job_id, status, credits_used, credits_remaining }, headers);
}

/** Hands the job to fal unless that was tried before; returns why fal refused, after the refund. */
async function send(desk: Desk, job: string): Promise<string | undefined> {
  const claimed = await call<{ model: string; input: unknown } | null>(desk.project, "claim_generation", {
    p_job: job,
  });
  if (!claimed) return undefined;
  const webhook = `${desk.project.url}/functions/v1/provider-webhook/fal?order=${job}`;
  const submission = await submit(desk.fal, claimed.model, claimed.input, webhook);
  if ("accepted" in submission) {
    await call(desk.project, "start_generation", { p_job: job, p_provider_job: submission.accepted });
  } else if ("refused" in submission) {
    await call(desk.project, "fail_generation", { p_job: job, p_error: submission.refused });
    return submission.refused;
  } else {
    // Not sent again and not refunded yet: the webhook knows the order by its number, or it expires.
    console.error(`generate: it is not known whether order ${job} arrived: ${submission.unknown}`);
  }
  return undefined;
}

async function status(desk: Desk, user: string, request: Request): Promise<Response> {
  const id = new URL(request.url).searchParams.get("job_id") ?? "";
  if (!uuid.test(id)) return answer(400, { error: "Wanted: ?job_id=" });
  const words = { p_user: user, p_job: id };
  type Reading = { job: Job; ask?: { model: string; provider_job: string } } | null;
  let reading = await call<Reading>(desk.project, "read_generation", words);
  if (!reading) return answer(404, { error: "Job not found" });
  if (reading.ask && await heard(desk, reading.ask.model, reading.ask.provider_job)) {
    reading = await call<Reading>(desk.project, "read_generation", words) ?? reading;
  }
  return answer(200, reading.job);
}

/** Asks fal where no webhook has come yet, and tells the inbox what a webhook would have. */
async function heard(desk: Desk, model: string, id: string): Promise<boolean> {
  try {
    const now = await state(desk.fal, model, id);
    if (now === "unfinished") return false;
    const failed = "failed" in now ? now.failed : null;
    return await call<boolean>(desk.project, "receive_rescue", {
      p_provider: "fal",
      p_job: id,
      p_status: failed === null ? "succeeded" : "failed",
      p_payload: "result" in now ? now.result : null,
      p_error: failed,
    });
  } catch (error) {
    console.error(`generate: fal could not be asked about ${id}: ${error}`);
    return false;
  }
}
