// Orders a generated video for the signed-in user, who pays with credits. Needs webhooks.sql and generation.sql, and
// the function provider-webhook.
//
//   supabase secrets set FAL_KEY=...
//   supabase functions deploy generate
//
// Requests and answers have the words of Rendio's functions (Sources/Contracts/providers.md); video_url is what the
// agent stored, as bucket/key: a link to a private bucket would end.

import { needed, project } from "../_shared/project.ts";
import { orders } from "./orders.ts";

Deno.serve(orders({
  project: project(),
  fal: {
    queue: Deno.env.get("FAL_QUEUE_URL") ?? "https://queue.fal.run",
    key: needed("FAL_KEY"),
    milliseconds: 30_000,
  },
}));
