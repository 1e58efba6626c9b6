// Takes the calls of fal and Replicate into rescue_inbox, from where an agent fetches the files. Needs webhooks.sql.
//
//   supabase secrets set FAL_USER_ID=... REPLICATE_WEBHOOK_SECRET=whsec_...
//   supabase functions deploy provider-webhook --no-verify-jwt     (a provider signs; it has no token of the project)
//
// RESCUE_OWNER=<user id> gives the files to a user who is signed in on the agent. Order with
//   fal:       ?fal_webhook=https://PROJECT.supabase.co/functions/v1/provider-webhook/fal
//   Replicate: "webhook": "https://PROJECT.supabase.co/functions/v1/provider-webhook/replicate",
//              "webhook_events_filter": ["completed"]

import { project } from "../_shared/project.ts";
import { inbox } from "./inbox.ts";
import { KeySet } from "./keys.ts";

Deno.serve(inbox({
  project: project(),
  replicateSecret: Deno.env.get("REPLICATE_WEBHOOK_SECRET") ?? "",
  falAccount: Deno.env.get("FAL_USER_ID") ?? "",
  falKeys: new KeySet(Deno.env.get("FAL_JWKS_URL") ?? "https://rest.fal.ai/.well-known/jwks.json"),
  owner: Deno.env.get("RESCUE_OWNER") ?? "",
  now: () => new Date(),
}));
