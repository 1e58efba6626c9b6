// fal's queue, as far as orders need it (Sources/Contracts/providers.md, section 2).

/** Where fal's queue is, the key for it, and how long an order may take to be accepted. */
export interface Fal {
  queue: string;
  key: string;
  milliseconds: number;
}

/** How an order ended; `unknown` where fal may have it without our knowing. */
export type Submission = { accepted: string } | { refused: string } | { unknown: string };

/** How a job stands; `result` and `failed` are final. */
export type State = { result: unknown } | { failed: string } | "unfinished";

/** Orders once. Never to be repeated: fal knows no idempotency key and would bill twice. */
export async function submit(fal: Fal, model: string, input: unknown, webhook: string): Promise<Submission> {
  let response: Response, text: string;
  try {
    response = await ask(fal, `${fal.queue}/${model}?fal_webhook=${encodeURIComponent(webhook)}`, {
      method: "POST",
      body: JSON.stringify(input),
    });
    text = await response.text();
  } catch (error) {
    return { unknown: String(error) };
  }
  // 408 and 5xx may come from a proxy that gave up on an order which the queue has.
  if (response.status === 408 || response.status >= 500) return { unknown: `fal answered ${response.status}` };
  if (!response.ok) return { refused: `fal answered ${response.status}: ${text.slice(0, 300)}` };
  try {
    const id = JSON.parse(text).request_id;
    if (typeof id === "string" && id) return { accepted: id };
  } catch {
    // Said below: the order may stand all the same.
  }
  return { unknown: "fal accepted without a request_id" };
}

/** Asks how a job stands; throws where fal cannot be asked. */
export async function state(fal: Fal, model: string, id: string): Promise<State> {
  // Only owner and app (below these two: and a third word) name a request, not what else the model's name has.
  const words = /^(workflows|comfy)\//.test(model) ? 3 : 2;
  const base = `${fal.queue}/${model.split("/").slice(0, words).join("/")}/requests/${encodeURIComponent(id)}`;
  const status = await ask(fal, `${base}/status`, {});
  const word = await status.json();
  if (!status.ok || word.status !== "COMPLETED") return "unfinished";
  if (word.error) return { failed: String(word.error) };
  const result = await ask(fal, base, {});
  if (result.ok) return { result: await result.json() };
  const why = `fal answered ${result.status}: ${(await result.text()).slice(0, 300)}`;
  // Only these are about the job; all others are about the key, the address or the hour.
  return result.status === 400 || result.status === 422 ? { failed: why } : "unfinished";
}

function ask(fal: Fal, address: string, init: RequestInit): Promise<Response> {
  return fetch(address, {
    ...init,
    headers: { "Authorization": `Key ${fal.key}`, "Content-Type": "application/json" },
    // A redirect would carry the key to another host.
    redirect: "error",
    signal: AbortSignal.timeout(fal.milliseconds),
  });
}
