// A project to test functions in: PostgreSQL behind the two addresses of Supabase that they call, and a fal.
// PGHOST names the folder of a PostgreSQL's socket that has webhooks.sql and generation.sql, PSQL the program.

import { PublicKey } from "../provider-webhook/signatures.ts";

export const ada = "0a0a0a0a-0000-4000-8000-000000000001";
export const bob = "0b0b0b0b-0000-4000-8000-000000000002";

/** A server on a free port; `stop` ends it at once. */
export function serve(handler: (request: Request) => Response | Promise<Response>) {
  const controller = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: controller.signal,
    onListen: () => {},
    onError: () => new Response(null, { status: 500 }),
  }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    stop: async () => {
      controller.abort();
      await server.finished;
    },
  };
}

/** One connection: a `psql` that is asked one statement after the other. */
class Connection {
  private readonly process: Deno.ChildProcess;
  private readonly input: WritableStreamDefaultWriter<Uint8Array>;
  private readonly output: ReadableStreamDefaultReader<string>;
  private rest = "";

  constructor(role: string) {
    this.process = new Deno.Command(Deno.env.get("PSQL") ?? "psql", {
      args: ["-U", "postgres", "-qAtX"],
      env: { PGOPTIONS: `-c role=${role} -c client_min_messages=warning` },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.input = this.process.stdin.getWriter();
    this.output = this.process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async query(statement: string): Promise<string> {
    const text = `${statement};\n\\echo '<end>' :SQLSTATE :LAST_ERROR_MESSAGE '<all>'\n`;
    await this.input.write(new TextEncoder().encode(text));
    while (!this.rest.includes("<all>\n")) {
      const { value, done } = await this.output.read();
      if (done) throw new Error("psql ended");
      this.rest += value;
    }
    const [, result, state] = this.rest.match(/^([^]*?)<end> (\S+)[^]*<all>\n$/) ?? [];
    const whole = this.rest;
    this.rest = "";
    if (state !== "00000") throw new Error(whole);
    return result.trimEnd();
  }

  async close() {
    await this.input.close();
    await this.output.cancel();
    await this.process.status;
  }
}

/** Connections of one role, as many as are wanted at once. */
class Pool {
  private readonly idle: Connection[] = [];
  private readonly all: Connection[] = [];

  constructor(private readonly role: string) {}

  async query(statement: string): Promise<string> {
    let connection = this.idle.pop();
    if (!connection) {
      connection = new Connection(this.role);
      this.all.push(connection);
    }
    try {
      return await connection.query(statement);
    } finally {
      this.idle.push(connection);
    }
  }

  async close() {
    await Promise.all(this.all.map((connection) => connection.close()));
  }
}

/** A project on PostgreSQL; `interrupted` may stop a call of a database function before or after it is done. */
export class Stand {
  private readonly service = new Pool("service_role");
  private readonly admin = new Pool("none");
  private readonly server = serve((request) => this.answered(request));
  interrupted: (moment: string) => boolean = () => false;

  get project() {
    return { url: this.server.url, serviceKey: "service" };
  }

  /** The result of a statement of the database's owner. */
  query(statement: string): Promise<string> {
    return this.admin.query(statement);
  }

  private async answered(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (path === "/auth/v1/user") {
      const id = request.headers.get("Authorization")?.replace(/^Bearer /, "");
      return id === ada || id === bob ? Response.json({ id }) : Response.json({}, { status: 403 });
    }
    const name = path.replace("/rest/v1/rpc/", "");
    if (request.headers.get("apikey") !== "service" || name.includes("/")) return new Response(null, { status: 404 });
    const words = Object.entries(await request.json()).map(([word, value]) => `${word} => ${literal(value)}`);
    if (this.interrupted(`before ${name}`)) return new Response(null, { status: 500 });
    try {
      const result = await this.service.query(`select to_jsonb(public.${name}(${words.join(", ")}))`);
      if (this.interrupted(`after ${name}`)) return new Response(null, { status: 500 });
      return new Response(result || "null", { headers: { "Content-Type": "application/json" } });
    } catch (error) {
      return Response.json({ message: String(error) }, { status: 400 });
    }
  }

  async close() {
    await this.server.stop();
    await this.service.close();
    await this.admin.close();
  }
}

function literal(value: unknown): string {
  if (value === null) return "null";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

/** A fal whose answers a test sets. */
export class Fal {
  readonly submissions: { id: string; address: URL; input: Record<string, unknown> }[] = [];
  /** What is done with the submission of that number: by default it is accepted. */
  submitted: (id: string) => Response | Promise<Response> = (id) => Response.json({ request_id: id });
  status: () => Response = () => Response.json({ status: "IN_PROGRESS" });
  result: () => Response = () => Response.json({ video: { url: "https://v3.fal.media/files/a.mp4" } });
  private readonly server = serve((request) => this.answered(request));

  desk(milliseconds = 5000) {
    return { queue: this.server.url, key: "fal-key", milliseconds };
  }

  private async answered(request: Request): Promise<Response> {
    const address = new URL(request.url);
    if (request.headers.get("Authorization") !== "Key fal-key") return Response.json({}, { status: 401 });
    if (request.method === "GET") return address.pathname.endsWith("/status") ? this.status() : this.result();
    const id = `request-${crypto.randomUUID()}`;
    this.submissions.push({ id, address, input: await request.json() });
    return await this.submitted(id);
  }

  stop() {
    return this.server.stop();
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** fal's side of its scheme, with a key of our own. */
export async function falKey() {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]) as CryptoKeyPair;
  const { kty, crv, x } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const hex = (buffer: ArrayBuffer) =>
    Array.from(new Uint8Array(buffer), (b) => b.toString(16).padStart(2, "0")).join("");
  return {
    public: { kty, crv, x } as PublicKey,
    async headers(text: string, request: string, user: string, seconds: number) {
      const digest = hex(await crypto.subtle.digest("SHA-256", bytes(text)));
      const message = bytes(`${request}\n${user}\n${seconds}\n${digest}`);
      return {
        "x-fal-webhook-request-id": request,
        "x-fal-webhook-user-id": user,
        "x-fal-webhook-timestamp": String(seconds),
        "x-fal-webhook-signature": hex(await crypto.subtle.sign("Ed25519", pair.privateKey, message)),
      };
    },
  };
}
