import assert from "node:assert/strict";
import { Desk, inbox } from "../provider-webhook/inbox.ts";
import { KeySet } from "../provider-webhook/keys.ts";
import { bob, falKey, serve, Stand } from "./stand.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const key = await falKey();

async function withInbox(
  changes: Partial<Desk>,
  body: (stand: Stand, handler: ReturnType<typeof inbox>) => Promise<void>,
) {
  const stand = new Stand();
  const jwks = serve(() => Response.json({ keys: [key.public] }));
  try {
    await stand.query("delete from rescue_inbox");
    await body(
      stand,
      inbox({
        project: stand.project,
        replicateSecret: secret,
        falAccount: "ours",
        falKeys: new KeySet(jwks.url),
        owner: "",
        now: () => new Date(),
        ...changes,
      }),
    );
  } finally {
    await jwks.stop();
    await stand.close();
  }
}

const seconds = () => Math.floor(Date.now() / 1000);

async function fromFal(job: string, body: unknown, query = ""): Promise<Request> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = await key.headers(text, job, "ours", seconds());
  return new Request(`https://p.example/provider-webhook/fal${query}`, { method: "POST", body: text, headers });
}

async function fromReplicate(body: unknown): Promise<Request> {
  const text = JSON.stringify(body), id = "msg_1", time = String(seconds());
  const bytes = Uint8Array.from(atob(secret.slice(6)), (c) => c.charCodeAt(0));
  const hmac = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(`${id}.${time}.${text}`));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
  return new Request("https://p.example/functions/v1/provider-webhook/replicate", {
    method: "POST",
    body: text,
    headers,
  });
}

const rows = `select coalesce(string_agg(
  concat_ws(' ', provider, provider_job, status, payload #>> '{video,url}', payload #>> '{images,0,url}', payload ->> 'output', error, reference, owner),
  ';' order by provider_job), '') from rescue_inbox`;

Deno.test("one job is one row, however often and at once it is told", () =>
  withInbox({}, async (stand, handler) => {
    const done = {
      request_id: "r1",
      gateway_request_id: "g1",
      status: "OK",
      payload: { video: { url: "https://v3.fal.media/a.mp4" } },
    };
    const requests = await Promise.all(Array.from({ length: 12 }, () => fromFal("r1", done)));
    const answers = await Promise.all(requests.map(handler));
    assert.deepEqual(answers.map((one) => one.status), Array(12).fill(200));
    assert.equal(await stand.query(rows), "fal r1 succeeded https://v3.fal.media/a.mp4");
  }));

/** The examples of docs.fal.ai/model-endpoints/webhooks and replicate.com/docs/topics/webhooks/receive-webhook. */
const request = "123e4567-e89b-12d3-a456-426614174000";
const image = {
  url: "https://url.to/image.png",
  content_type: "image/png",
  file_name: "image.png",
  file_size: 1824075,
  width: 1024,
  height: 1024,
};
const documented = {
  fal: {
    request_id: request,
    gateway_request_id: request,
    status: "OK",
    payload: { images: [image], seed: 196619188014358660 },
  },
  falError: {
    request_id: request,
    gateway_request_id: request,
    status: "ERROR",
    error: "Invalid status code: 422",
    payload: { detail: [{ loc: ["body", "prompt"], msg: "field required", type: "value_error.missing" }] },
  },
  replicate: {
    id: "ufawqhfynnddngldkgtslldrkq",
    version: "5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa",
    created_at: "2022-04-26T22:13:06.224088Z",
    started_at: null,
    completed_at: null,
    status: "starting",
    input: { text: "Alice" },
    output: null,
    error: null,
    logs: null,
    metrics: {},
  },
};

Deno.test("what fal and Replicate say becomes a row, or is answered and forgotten", () =>
  withInbox({ owner: bob }, async (stand, handler) => {
    const table: [string, Request, number, string][] = [
      [
        "fal's documented result",
        await fromFal(request, documented.fal),
        200,
        `fal ${request} succeeded https://url.to/image.png ${bob}`,
      ],
      [
        "fal's documented error",
        await fromFal(request, documented.falError),
        200,
        `fal ${request} failed Invalid status code: 422 ${bob}`,
      ],
      [
        "fal's result cannot be sent",
        await fromFal("r3", { request_id: "r3", status: "OK", payload: null, payload_error: "not JSON" }, "?order=o-7"),
        200,
        `fal r3 succeeded not JSON o-7 ${bob}`,
      ],
      ["fal speaks of another job", await fromFal("r4", { request_id: "r5", status: "OK" }), 400, ""],
      ["fal's word is unknown", await fromFal("r6", { request_id: "r6", status: "MAYBE" }), 400, ""],
      ["no JSON", await fromFal("r7", "{"), 400, ""],
      [
        "a character that PostgreSQL has not",
        await fromFal("r8", { request_id: "r8", status: "ERROR", error: "a\0b" }),
        200,
        `fal r8 failed a\u{fffd}b ${bob}`,
      ],
      ["Replicate's documented prediction, which has just begun", await fromReplicate(documented.replicate), 200, ""],
      ["Replicate works", await fromReplicate({ id: "p1", status: "processing", output: null }), 200, ""],
      [
        "Replicate has it",
        await fromReplicate({
          id: "p1",
          status: "succeeded",
          input: { prompt: "secret" },
          output: "https://replicate.delivery/x.mp4",
        }),
        200,
        `replicate p1 succeeded https://replicate.delivery/x.mp4 ${bob}`,
      ],
      [
        "Replicate failed",
        await fromReplicate({ id: "p2", status: "failed", error: "CUDA", output: null }),
        200,
        `replicate p2 failed CUDA ${bob}`,
      ],
      [
        "it was cancelled",
        await fromReplicate({ id: "p3", status: "canceled", output: null }),
        200,
        `replicate p3 failed canceled ${bob}`,
      ],
      ["Replicate's example, which is no prediction", await fromReplicate({ test: 2432232314 }), 400, ""],
    ];
    for (const [what, request, status, row] of table) {
      await stand.query("delete from rescue_inbox");
      assert.equal((await handler(request)).status, status, what);
      assert.equal(await stand.query(rows), row, what);
    }
    assert.equal(await stand.query("select count(*) from rescue_inbox where payload::text like '%secret%'"), "0");
  }));

Deno.test("nothing is written for a call that is not the provider's", () =>
  withInbox({}, async (stand, handler) => {
    const signed = await fromFal("r1", { request_id: "r1", status: "OK", payload: {} });
    const bare = (path: string, method = "POST") =>
      new Request(`https://p.example${path}`, { method, body: method === "POST" ? "{}" : null });
    const table: [string, Request, number][] = [
      ["not signed", bare("/provider-webhook/fal"), 401],
      ["not signed", bare("/provider-webhook/replicate"), 401],
      ["another provider", bare("/provider-webhook/runway"), 404],
      ["a name that every object has", bare("/provider-webhook/constructor"), 404],
      ["a GET", bare("/provider-webhook/fal", "GET"), 405],
      ["changed on the way", new Request(signed.url, { method: "POST", body: "{}", headers: signed.headers }), 401],
      [
        "5 MB",
        new Request(signed.url, { method: "POST", body: new Uint8Array(5 << 20), headers: signed.headers }),
        413,
      ],
    ];
    for (const [what, request, status] of table) assert.equal((await handler(request)).status, status, what);
    assert.equal(await stand.query(rows), "");
  }));

Deno.test("where the inbox or the keys are out of reach the provider is asked to call again", async () => {
  const down = serve(() => new Response("down", { status: 500 }));
  const call = { request_id: "r1", status: "OK", payload: {} };
  await withInbox({ project: { url: down.url, serviceKey: "service" } }, async (_, handler) => {
    assert.equal((await handler(await fromFal("r1", call))).status, 503);
  });
  await withInbox({ falKeys: new KeySet(down.url) }, async (_, handler) => {
    assert.equal((await handler(await fromFal("r1", call))).status, 503);
  });
  await withInbox({ falAccount: "", replicateSecret: "" }, async (_, handler) => {
    assert.equal((await handler(await fromFal("r1", call))).status, 401, "until FAL_USER_ID is set");
    assert.equal((await handler(await fromReplicate({}))).status, 401, "until REPLICATE_WEBHOOK_SECRET is set");
  });
  await down.stop();
});
