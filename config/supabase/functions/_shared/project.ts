// The project that a function runs in: its settings, its database, its answers.

/** Where the project is, and the key that may do everything in it. */
export interface Project {
  url: string;
  serviceKey: string;
}

/** The project of this edge function; Supabase sets both variables. */
export function project(): Project {
  return { url: needed("SUPABASE_URL").replace(/\/+$/, ""), serviceKey: needed("SUPABASE_SERVICE_ROLE_KEY") };
}

/** A setting without which the function cannot start. */
export function needed(name: string): string {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set. Set it with "supabase secrets set ${name}=...".`);
  return value;
}

/** A database function's result; throws what the database refused, or that it did not answer in 10 s. */
export async function call<Result>(project: Project, name: string, words: Record<string, unknown>): Promise<Result> {
  const response = await fetch(`${project.url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: {
      "apikey": project.serviceKey,
      "Authorization": `Bearer ${project.serviceKey}`,
      "Content-Type": "application/json",
    },
    // PostgreSQL's texts hold every character but this one.
    body: JSON.stringify(words, (_, value) => typeof value === "string" ? value.replaceAll("\0", "\u{fffd}") : value),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`);
  return (text ? JSON.parse(text) : null) as Result;
}

/** A JSON answer. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** The value where it is a JSON object. */
export function object(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? value as Record<string, unknown> : undefined;
}
