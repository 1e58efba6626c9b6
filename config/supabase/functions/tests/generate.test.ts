import assert from "node:assert/strict";
import { state } from "../generate/fal.ts";
import { orders } from "../generate/orders.ts";
import { ada, bob, Fal, serve, Stand } from "./stand.ts";

const index = new URL("../generate/index.ts", import.meta.url).pathname;

/** A stand where both users have that many credits and the model "veo" costs 4. */
async function withShop(credits: number, body: (stand: Stand, fal: Fal) => Promise<void>) {
  const stand = new Stand(), fal = new Fal();
  try {
    await stand.query(`
      alter table generation_log disable trigger user;
      truncate rescue_inbox, generation_log, generation_jobs, generation_accounts, generation_models;
      alter table generation_log enable trigger user;
      insert into generation_models values ('veo', 'fal', 'fal-ai/veo3.1/fast', 4, '{"duration": ["4s", "8s"]}');
      select grant_credits('${ada}', ${credits}, 'ada'), grant_credits('${bob}', ${credits}, 'bob');
      update generation_accounts set hourly_limit = 1000`);
    await body(stand, fal);
    assert.equal(await stand.query(unsound), "0", "the log gives the credits, and no job is charged or refunded twice");
  } finally {
    await stand.close();
    await fal.stop();
  }
}

/** Accounts and jobs that do not agree with the log: there are never any. */
const unsound = `select
  (select count(*) from generation_accounts a
   where credits < 0 or credits <> (select sum(change) from generation_log l where l.user_id = a.user_id)) +
  (select count(*) from generation_jobs j
   where (select array_agg(change order by id) from generation_log where job_id = j.id) is distinct from
     case when status = 'failed' then array[-price, price] else array[-price] end)`;

const jobs = `select coalesce(string_agg(status, ' ' order by ordered_at, id), '') from generation_jobs`;
const credits = `select credits from generation_accounts where user_id = '${ada}'`;

function order(key: string, changes: Record<string, unknown> = {}, user = ada, url = "http://f/generate"): Request {
  return new Request(url, {
    method: "POST",
    headers: { "Authorization": `Bearer ${user}`, "Idempotency-Key": key },
    body: JSON.stringify({ model_id: "veo", prompt: "a cat", settings: { duration: "8s" }, ...changes }),
  });
}

const reading = (job: string, user = ada) =>
  new Request(`http://f/generate?job_id=${job}`, { headers: { "Authorization": `Bearer ${user}` } });

const key = () => crypto.randomUUID();

Deno.test("20 orders, each clicked twice, with credits for 15: 15 are charged and sent once", () =>
  withShop(60, async (stand, fal) => {
    const handler = orders({ project: stand.project, fal: fal.desk() });
    const keys = Array.from({ length: 20 }, key);
    const answers = await Promise.all([...keys, ...keys].map((one) => handler(order(one))));
    const codes = answers.map((one) => one.status).sort();
    assert.deepEqual(codes, [...Array(30).fill(200), ...Array(10).fill(402)]);
    assert.equal(answers.filter((one) => one.headers.get("X-Idempotent-Replay")).length, 15);
    const bodies = await Promise.all(answers.filter((one) => one.ok).map((one) => one.json()));
    assert.equal(new Set(bodies.map((one) => one.job_id)).size, 15);
    assert.equal(fal.submissions.length, 15);
    assert.equal(await stand.query(credits), "0");
    const { address, input } = fal.submissions[0];
    assert.equal(address.pathname, "/fal-ai/veo3.1/fast");
    assert.match(
      address.searchParams.get("fal_webhook")!,
      /\/functions\/v1\/provider-webhook\/fal\?order=[0-9a-f-]{36}$/,
    );
    assert.deepEqual(input, { prompt: "a cat", duration: "8s" });
  }));

Deno.test("requests that cannot be served charge nothing and say why", () =>
  withShop(10, async (stand, fal) => {
    const handler = orders({ project: stand.project, fal: fal.desk() });
    const used = key();
    assert.equal((await handler(order(used))).status, 200);
    const table: [string, Request, number, string][] = [
      ["no key", order(""), 400, "Idempotency-Key"],
      ["a key that is none", order("abc-123"), 400, "Idempotency-Key"],
      ["no sign-in", order(key(), {}, ""), 401, "Unauthorized"],
      ["a wrong one", order(key(), {}, "0c0c0c0c-0000-4000-8000-000000000003"), 401, "Unauthorized"],
      ["no prompt", order(key(), { prompt: "" }), 400, "prompt"],
      ["settings that are none", order(key(), { settings: [] }), 400, "settings"],
      ["no model", order(key(), { model_id: "sora" }), 404, "Model not found"],
      ["settings of another price", order(key(), { settings: { duration: "60s" } }), 400, "not offered"],
      ["a setting of the provider's", order(key(), { settings: { webhook: "x" } }), 400, "not offered"],
      ["a price of the client's own", order(key(), { settings: { price: 0 } }), 400, "not offered"],
      ["the same key for another prompt", order(used, { prompt: "a dog" }), 422, "another order"],
      [
        "a DELETE",
        new Request("http://f/", { method: "DELETE", headers: { "Authorization": `Bearer ${ada}` } }),
        405,
        "POST",
      ],
      ["another's job", reading(key()), 404, "Job not found"],
      ["a job that is none", reading("1"), 400, "job_id"],
    ];
    for (const [what, request, status, word] of table) {
      const answer = await handler(request);
      assert.equal(answer.status, status, what);
      assert.ok((await answer.text()).includes(word), what);
    }
    assert.equal((await handler(order(used, {}, bob))).status, 200, "another's key of the same name is another's");
    assert.equal(fal.submissions.length, 2);
    assert.equal(await stand.query(credits), "6");
    assert.equal((await handler(order(key()))).status, 200);
    const poor = await handler(order(key()));
    assert.deepEqual([poor.status, await poor.json()], [402, {
      error: "Insufficient credits",
      current_credits: 2,
      required_credits: 4,
    }]);
    await stand.query("update generation_accounts set hourly_limit = 2");
    const soon = await handler(order(key()));
    assert.equal(soon.status, 429);
    assert.match(soon.headers.get("Retry-After")!, /^3[56]\d\d$/);
  }));

Deno.test("what fal answers to an order becomes one state, which a second click repeats without a second order", async () => {
  const table: [string, (id: string) => Response | Promise<Response>, number, string, string][] = [
    ["accepted", (id) => Response.json({ request_id: id }), 200, "processing", "6"],
    ["refused for its content", () => Response.json({ detail: "no" }, { status: 422 }), 502, "failed", "10"],
    ["our key is wrong", () => Response.json({ detail: "no" }, { status: 401 }), 502, "failed", "10"],
    ["too much at once", () => Response.json({ detail: "no" }, { status: 429 }), 502, "failed", "10"],
    ["broken, who knows when", () => new Response("", { status: 500 }), 200, "pending", "6"],
    ["a gateway gave up", () => new Response("", { status: 504 }), 200, "pending", "6"],
    ["an answer without a number", () => new Response("{}"), 200, "pending", "6"],
    ["no JSON", () => new Response("<html>"), 200, "pending", "6"],
    ["no answer in time", () => new Promise(() => {}), 200, "pending", "6"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/"), 200, "pending", "6"],
  ];
  for (const [what, submitted, status, state, left] of table) {
    await withShop(10, async (stand, fal) => {
      fal.submitted = submitted;
      const handler = orders({ project: stand.project, fal: fal.desk(200) });
      const one = key();
      assert.equal((await handler(order(one))).status, status, what);
      assert.equal((await handler(order(one))).status, status, what);
      assert.equal(fal.submissions.length, 1, what);
      assert.equal(await stand.query(jobs), state, what);
      assert.equal(await stand.query(credits), left, what);
    });
  }
});

Deno.test("an order whose arrival is unknown is heard of by the webhook, or expires and is refunded", () =>
  withShop(20, async (stand, fal) => {
    fal.submitted = () => new Response("", { status: 500 });
    const handler = orders({ project: stand.project, fal: fal.desk() });
    for (let n = 0; n < 3; n++) await handler(order(key()));
    const [heard, failed] = fal.submissions.map((one) =>
      one.address.searchParams.get("fal_webhook")!.split("order=")[1]
    );
    await stand.query(`select receive_rescue('fal', 'r1', 'succeeded', '{}', null, '${heard}')`);
    await stand.query(`select receive_rescue('fal', 'r2', 'failed', null, 'no', '${failed}')`);
    await stand.query(`update generation_jobs set ordered_at = now() - interval '6 hours 1 second'`);
    assert.equal(await stand.query(`select string_agg(expire_generations()::text, '')`), "1");
    assert.equal(
      await stand.query("select string_agg(status, ' ' order by status) from generation_jobs"),
      "failed failed processing",
    );
    assert.equal(await stand.query(credits), "16");
    assert.equal(await stand.query("select count(*) from rescue_inbox where owner = '" + ada + "'"), "2");
  }));

Deno.test("a failure is refunded once, however late, often and at once it is told", () =>
  withShop(8, async (stand, fal) => {
    const handler = orders({ project: stand.project, fal: fal.desk() });
    const one = key();
    await handler(order(one));
    const { id } = fal.submissions[0];
    const job = await stand.query("select id from generation_jobs");
    await stand.query("update generation_jobs set ordered_at = now() - interval '3 days', asked_at = null");
    fal.status = () => Response.json({ status: "COMPLETED" });
    fal.result = () => Response.json({ detail: "blocked" }, { status: 422 });
    await Promise.all([
      ...Array.from({ length: 8 }, () => handler(reading(job))),
      ...Array.from({ length: 8 }, () => stand.query(`select receive_rescue('fal', '${id}', 'failed', null, 'late')`)),
      ...Array.from({ length: 8 }, () => stand.query(`select fail_generation('${job}', 'operator')`)),
      ...Array.from({ length: 8 }, () => stand.query(`select expire_generations()`)),
      ...Array.from({ length: 8 }, () => handler(order(key()))),
    ]);
    assert.equal(await stand.query("select count(*) from generation_log where reason = 'refund'"), "1");
    assert.equal((await handler(order(one))).status, 502);
    await stand.query(`select receive_rescue('fal', '${id}', 'succeeded')`);
    assert.equal(await stand.query(`select status from generation_jobs where id = '${job}'`), "failed");
  }));

Deno.test("a job is asked for by its user, and completed when its file is stored", () =>
  withShop(10, async (stand, fal) => {
    const handler = orders({ project: stand.project, fal: fal.desk() });
    await handler(order(key()));
    const job = await stand.query("select id from generation_jobs");
    const read = async (user = ada) => {
      await stand.query("update generation_jobs set asked_at = null");
      const answer = await handler(reading(job, user));
      return answer.ok ? (await answer.json()).status : answer.status;
    };
    assert.equal(await read(bob), 404);
    assert.equal(await read(), "processing");
    fal.status = () => Response.json({ status: "COMPLETED" });
    const passing = [401, 403, 404, 408, 429, 500, 503];
    for (const status of passing) {
      fal.result = () => Response.json({ detail: "?" }, { status });
      assert.equal(await read(), "processing", `${status} says nothing about the job`);
    }
    fal.result = () => Response.json({ video: { url: "https://v3.fal.media/files/a.mp4" } });
    assert.equal(await read(), "processing", "it is only at the provider");
    const row = await stand.query(
      "select payload #>> '{video,url}', owner, (claim_rescues()).token is null from rescue_inbox",
    );
    assert.equal(row, `https://v3.fal.media/files/a.mp4|${ada}|f`);
    await stand.query(`select finish_rescue(token, 'media/ada/a.mp4') from rescue_inbox`);
    assert.equal(await read(), "completed");
    assert.equal(await stand.query(`select fail_generation('${job}', 'too late')`), "f");
    const document = await (await handler(reading(job))).json();
    assert.deepEqual(
      [document.video_url, document.credits_used, document.credits_remaining, document.model_name, document.prompt],
      ["media/ada/a.mp4", 4, 6, "veo", "a cat"],
    );
  }));

Deno.test("a request is asked for below its owner and app", async () => {
  const asked: string[] = [];
  const server = serve((request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ status: "COMPLETED" });
  });
  for (
    const model of ["fal-ai/veo3.1/fast/image-to-video", "fal-ai/veo3.1", "workflows/ada/film/v2", "comfy/ada/film"]
  ) {
    await state({ queue: server.url, key: "k", milliseconds: 5000 }, model, "r");
  }
  await server.stop();
  assert.deepEqual(asked.filter((path) => !path.endsWith("/status")), [
    "/fal-ai/veo3.1/requests/r",
    "/fal-ai/veo3.1/requests/r",
    "/workflows/ada/film/requests/r",
    "/comfy/ada/film/requests/r",
  ]);
});

/** The function as Supabase runs it: a process of its own, which `kill` ends in the middle of what it does. */
async function running(stand: Stand, fal: Fal) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", index],
    env: {
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      SUPABASE_URL: stand.project.url,
      SUPABASE_SERVICE_ROLE_KEY: stand.project.serviceKey,
      FAL_KEY: "fal-key",
      FAL_QUEUE_URL: fal.desk().queue,
      NO_COLOR: "1",
    },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr.values({ preventCancel: true })) {
    said += decoder.decode(chunk);
    if (/:\d+\/?\s/.test(said)) break;
  }
  const url = said.match(/http:\/\/[\d.]+:\d+/)?.[0];
  assert.ok(url, said);
  return {
    url,
    kill: () => child.kill("SIGKILL"),
    async ended() {
      await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);
    },
  };
}

Deno.test("killed between any two steps, the same order made again is charged and sent once", async () => {
  const moments: [string, number, string][] = [
    ["before order_generation", 1, "processing"],
    ["after order_generation", 1, "processing"],
    ["before claim_generation", 1, "processing"],
    ["after claim_generation", 0, "pending"],
    ["fal has the order", 1, "pending"],
    ["before start_generation", 1, "pending"],
    ["after start_generation", 1, "processing"],
  ];
  for (const [moment, submissions, state] of moments) {
    await withShop(10, async (stand, fal) => {
      const first = await running(stand, fal);
      let kills = 0;
      const reached = (now: string) => {
        if (now !== moment || kills) return false;
        kills += 1;
        first.kill();
        return true;
      };
      stand.interrupted = reached;
      fal.submitted = (id) =>
        reached("fal has the order") ? new Response(null, { status: 500 }) : Response.json({ request_id: id });
      const one = key();
      await assert.rejects(fetch(order(one, {}, ada, first.url)), moment);
      await first.ended();
      assert.equal(kills, 1, moment);
      const handler = orders({ project: stand.project, fal: fal.desk() });
      const again = await handler(order(one));
      assert.equal(again.status, 200, moment);
      assert.equal(fal.submissions.length, submissions, moment);
      assert.equal(await stand.query(jobs), state, moment);
      assert.equal(await stand.query(credits), "6", moment);
      // What became of it is heard of, or it is refunded, once.
      await stand.query("update generation_jobs set ordered_at = now() - interval '2 days'");
      await Promise.all([1, 2, 3].map(() => stand.query("select expire_generations()")));
      assert.equal(await stand.query(jobs), "failed", moment);
      assert.equal(await stand.query(credits), "10", moment);
    });
  }
});
