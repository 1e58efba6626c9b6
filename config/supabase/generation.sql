-- Generated videos that users order and pay with credits: charged once, refunded once, never below zero.
-- Run webhooks.sql first, then this, in the project's SQL editor; both may be run again.
--
-- Credits change through the functions below only; not even the service role may write these tables. Add a model and
-- an account as the database's owner:
--   insert into generation_models values ('veo', 'fal', 'fal-ai/veo3.1', 4, '{"duration": ["4s", "8s"]}');
--   select grant_credits('<user id>', 100, '<the purchase''s own number>');

begin;

create table if not exists public.generation_models (
    id text primary key,
    provider text not null check (provider = 'fal'),
    provider_model text not null,
    -- Credits an order; the client is never asked.
    price integer not null check (price > 0),
    -- The settings that this price covers, each with its values.
    settings jsonb not null default '{}',
    active boolean not null default true
);

-- No reference to auth.users: what was paid stays on record when a user goes.
create table if not exists public.generation_accounts (
    user_id uuid primary key,
    credits integer not null default 0 check (credits >= 0),
    hourly_limit integer not null default 10 check (hourly_limit >= 0)
);

create table if not exists public.generation_jobs (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references public.generation_accounts,
    idempotency_key uuid not null,
    model text not null references public.generation_models,
    prompt text not null check (length(prompt) between 1 and 20000),
    settings jsonb not null default '{}',
    price integer not null,
    -- pending: charged; processing: the provider has it; completed: stored; failed: refunded.
    status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
    -- When it was handed to the provider, who may have it even if no answer came.
    sending_at timestamptz,
    provider text not null,
    provider_job text,
    asked_at timestamptz,
    rendered_at timestamptz,
    object_key text,
    error text,
    ordered_at timestamptz not null default now(),
    ended_at timestamptz,
    unique (user_id, idempotency_key),
    unique (provider, provider_job)
);

create index if not exists generation_jobs_recent on public.generation_jobs (user_id, ordered_at);
create index if not exists generation_jobs_open on public.generation_jobs (ordered_at) where ended_at is null;

create table if not exists public.generation_log (
    id bigint generated always as identity primary key,
    user_id uuid not null references public.generation_accounts,
    reason text not null check (reason in ('grant', 'order', 'refund')),
    change integer not null check (change <> 0),
    balance integer not null check (balance >= 0),
    job_id uuid references public.generation_jobs,
    reference text unique,
    at timestamptz not null default now(),
    -- The last word on "once": a second charge or refund of a job is no row but an error.
    unique (job_id, reason),
    check ((reason = 'grant') = (job_id is null) and (reason = 'grant') = (reference is not null)),
    check ((reason = 'order') = (change < 0))
);

create or replace function public.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
    raise exception 'The log of credits is only ever added to.' using errcode = '55000';
end $$;

drop trigger if exists "gallery-sync add only" on public.generation_log;
create trigger "gallery-sync add only" before update or delete or truncate on public.generation_log
    for each statement execute function public.refuse_change();

alter table public.generation_models enable row level security;
alter table public.generation_accounts enable row level security;
alter table public.generation_jobs enable row level security;
alter table public.generation_log enable row level security;
revoke all on public.generation_models, public.generation_accounts, public.generation_jobs, public.generation_log
    from anon, authenticated, service_role;
grant select on public.generation_models, public.generation_accounts, public.generation_jobs, public.generation_log
    to authenticated, service_role;

drop policy if exists "gallery-sync see models" on public.generation_models;
create policy "gallery-sync see models" on public.generation_models for select to authenticated using (active);
drop policy if exists "gallery-sync see own account" on public.generation_accounts;
create policy "gallery-sync see own account" on public.generation_accounts for select to authenticated
using (user_id = (select auth.uid()));
drop policy if exists "gallery-sync see own jobs" on public.generation_jobs;
create policy "gallery-sync see own jobs" on public.generation_jobs for select to authenticated
using (user_id = (select auth.uid()));
drop policy if exists "gallery-sync see own log" on public.generation_log;
create policy "gallery-sync see own log" on public.generation_log for select to authenticated
using (user_id = (select auth.uid()));

-- The one place where credits change, with its line in the log; returns what is left.
create or replace function public.change_credits(
    p_user uuid, p_change integer, p_reason text, p_job uuid, p_reference text
) returns integer language plpgsql security definer set search_path = '' as $$
declare
    left_over integer;
begin
    update public.generation_accounts set credits = credits + p_change where user_id = p_user
    returning credits into strict left_over;
    insert into public.generation_log (user_id, reason, change, balance, job_id, reference)
    values (p_user, p_reason, p_change, left_over, p_job, p_reference);
    return left_over;
end $$;

-- Adds bought credits, opening the account; the same purchase again changes nothing. Returns the credits.
create or replace function public.grant_credits(p_user uuid, p_amount integer, p_reference text)
returns integer language plpgsql security definer set search_path = '' as $$
declare
    account public.generation_accounts;
begin
    insert into public.generation_accounts (user_id) values (p_user) on conflict do nothing;
    select * into account from public.generation_accounts where user_id = p_user for update;
    if exists (select from public.generation_log where reference = p_reference) then
        return account.credits;
    end if;
    return public.change_credits(p_user, p_amount, 'grant', null, p_reference);
end $$;

-- What its user is told about a job.
create or replace function public.generation_document(job public.generation_jobs)
returns jsonb language sql stable security definer set search_path = '' as $$
    select jsonb_build_object(
        'job_id', job.id, 'status', job.status, 'prompt', job.prompt, 'model_name', job.model,
        'credits_used', case when job.status = 'failed' then 0 else job.price end, 'credits_remaining', a.credits,
        'video_url', job.object_key, 'error_message', job.error,
        'created_at', job.ordered_at, 'completed_at', job.ended_at)
    from public.generation_accounts a where a.user_id = job.user_id
$$;

-- Ends a job that will give nothing and refunds it; false where it has ended already, so a refund happens once.
create or replace function public.fail_generation(p_job uuid, p_error text)
returns boolean language plpgsql security definer set search_path = '' as $$
declare
    job public.generation_jobs;
begin
    update public.generation_jobs set status = 'failed', error = left(p_error, 1000), ended_at = now()
    where id = p_job and ended_at is null
    returning * into job;
    if not found then
        return false;
    end if;
    perform public.change_credits(job.user_id, job.price, 'refund', job.id, null);
    return true;
end $$;

-- Refunds what no provider has answered for: 6 hours after an order whose arrival is unknown (a webhook is repeated
-- for two), 24 hours after one that it took. Every order does it for its user; see the end of this file for all.
create or replace function public.expire_generations(p_user uuid default null)
returns bigint language sql security definer set search_path = '' as $$
    select count(*) filter (where public.fail_generation(id, 'The provider did not answer in time.'))
    from (
        select id from public.generation_jobs
        where ended_at is null and rendered_at is null and (p_user is null or user_id = p_user)
            and ordered_at < now() - case when provider_job is null then interval '6 hours' else interval '1 day' end
        -- In one order for all, or two of these calls could wait for each other's accounts.
        order by user_id, id
        for update skip locked) as overdue
$$;

-- What keeps an account from a new order, or null: {"outcome", and what the client is told}.
create or replace function public.generation_refusal(
    account public.generation_accounts, p_model text, p_settings jsonb
) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
    chosen public.generation_models;
    recent timestamptz[];
begin
    select * into chosen from public.generation_models where id = p_model and active;
    if not found then
        return jsonb_build_object('outcome', 'no model');
    end if;
    if exists (
        select from jsonb_each(p_settings) s
        where not coalesce(chosen.settings -> s.key @> jsonb_build_array(s.value), false)) then
        return jsonb_build_object('outcome', 'bad settings', 'settings', chosen.settings);
    end if;
    select array_agg(ordered_at order by ordered_at) into recent from public.generation_jobs
    where user_id = account.user_id and ordered_at > now() - interval '1 hour';
    if coalesce(cardinality(recent), 0) >= account.hourly_limit then
        return jsonb_build_object('outcome', 'quota', 'retry_after', greatest(1, ceil(extract(
            epoch from coalesce(recent[1], now()) + interval '1 hour' - now()))));
    end if;
    if account.credits < chosen.price then
        return jsonb_build_object(
            'outcome', 'credits', 'current_credits', account.credits, 'required_credits', chosen.price);
    end if;
    return null;
end $$;

-- Charges and notes an order in one transaction: {"outcome": "ordered", "job"}, "replay" for a key that is taken
-- already, or why not, and then nothing is charged and the key stays free.
create or replace function public.order_generation(
    p_user uuid, p_key uuid, p_model text, p_prompt text, p_settings jsonb default '{}'
) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
    account public.generation_accounts;
    job public.generation_jobs;
    refusal jsonb;
begin
    perform public.expire_generations(p_user);
    -- Until this transaction ends no other order of this user runs, so what is read below stays true.
    select * into account from public.generation_accounts where user_id = p_user for update;
    if not found then
        return jsonb_build_object('outcome', 'credits', 'current_credits', 0);
    end if;
    select * into job from public.generation_jobs where user_id = p_user and idempotency_key = p_key;
    if found then
        if (job.model, job.prompt, job.settings) is distinct from (p_model, p_prompt, p_settings) then
            return jsonb_build_object('outcome', 'other order');
        end if;
        return jsonb_build_object('outcome', 'replay', 'job', public.generation_document(job));
    end if;
    refusal := public.generation_refusal(account, p_model, p_settings);
    if refusal is not null then
        return refusal;
    end if;
    insert into public.generation_jobs (user_id, idempotency_key, model, prompt, settings, price, provider)
    select p_user, p_key, p_model, p_prompt, p_settings, m.price, m.provider
    from public.generation_models m where m.id = p_model
    returning * into job;
    perform public.change_credits(p_user, -job.price, 'order', job.id, null);
    return jsonb_build_object('outcome', 'ordered', 'job', public.generation_document(job));
end $$;

-- Lets exactly one caller hand a job to its provider, ever: {"model", "input"}, or null for all others. Providers
-- know no idempotency key, so an order whose arrival is unknown is never sent again; it is heard of, or expires.
create or replace function public.claim_generation(p_job uuid)
returns jsonb language sql security definer set search_path = '' as $$
    update public.generation_jobs j set sending_at = now()
    from public.generation_models m
    where j.id = p_job and m.id = j.model and j.sending_at is null and j.ended_at is null
    returning jsonb_build_object(
        'model', m.provider_model, 'input', j.settings || jsonb_build_object('prompt', j.prompt))
$$;

-- Notes the provider's own id of a job that it took, however late that is heard.
create or replace function public.start_generation(p_job uuid, p_provider_job text)
returns void language sql security definer set search_path = '' as $$
    update public.generation_jobs
    set provider_job = p_provider_job, status = case when ended_at is null then 'processing' else status end
    where id = p_job and provider_job is null
$$;

-- A user's job, and, at most every 10 seconds for one caller, what to ask its provider: {"job", "ask"?}; else null.
create or replace function public.read_generation(p_user uuid, p_job uuid)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
    question jsonb;
begin
    update public.generation_jobs j set asked_at = now()
    from public.generation_models m
    where j.id = p_job and j.user_id = p_user and m.id = j.model and j.provider_job is not null
        and j.ended_at is null and j.rendered_at is null
        and (j.asked_at is null or j.asked_at < now() - interval '10 seconds')
    returning jsonb_build_object('model', m.provider_model, 'provider_job', j.provider_job) into question;
    return (
        select jsonb_strip_nulls(jsonb_build_object('ask', question))
            || jsonb_build_object('job', public.generation_document(j))
        from public.generation_jobs j where j.id = p_job and j.user_id = p_user);
end $$;

-- What the inbox hears about a job of ours becomes the job's state. An order of which only the webhook knows is
-- found by the reference that the webhook's address carries.
create or replace function public.hear_generation() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    job public.generation_jobs;
begin
    select * into job from public.generation_jobs where provider = new.provider and provider_job = new.provider_job;
    if not found and new.reference ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        select * into job from public.generation_jobs
        where id = new.reference::uuid and provider = new.provider and provider_job is null and sending_at is not null;
    end if;
    -- Without a job of ours nothing below finds a row.
    update public.rescue_inbox set owner = job.user_id where id = new.id and job.id is not null;
    perform public.start_generation(job.id, new.provider_job);
    if new.status = 'failed' then
        perform public.fail_generation(job.id, coalesce(new.error, 'The provider failed.'));
    else
        update public.generation_jobs set rendered_at = now() where id = job.id and rendered_at is null;
    end if;
    return null;
end $$;

drop trigger if exists "gallery-sync hear" on public.rescue_inbox;
create trigger "gallery-sync hear" after insert on public.rescue_inbox
    for each row execute function public.hear_generation();

-- A job is completed when an agent has stored its file, and not before. A file that could not be had is refunded,
-- except on its own user's word, who could have fetched it.
create or replace function public.settle_generation() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    job uuid;
begin
    select id into job from public.generation_jobs where provider = new.provider and provider_job = new.provider_job;
    if new.object_key is not null then
        update public.generation_jobs set status = 'completed', object_key = new.object_key, ended_at = now()
        where id = job and ended_at is null;
    elsif current_setting('role', true) is distinct from 'authenticated' then
        perform public.fail_generation(job, 'The finished file could not be fetched.');
    else
        update public.generation_jobs set error = 'Reported as lost; to be checked.'
        where id = job and ended_at is null;
    end if;
    return null;
end $$;

drop trigger if exists "gallery-sync settle" on public.rescue_inbox;
create trigger "gallery-sync settle" after update on public.rescue_inbox
    for each row when (old.finished_at is null and new.finished_at is not null)
    execute function public.settle_generation();

-- To call a function here is to spend, so only the service role (the edge functions) may call these.
revoke execute on function
    public.refuse_change(), public.change_credits(uuid, integer, text, uuid, text),
    public.grant_credits(uuid, integer, text), public.generation_document(public.generation_jobs),
    public.fail_generation(uuid, text), public.expire_generations(uuid),
    public.generation_refusal(public.generation_accounts, text, jsonb),
    public.order_generation(uuid, uuid, text, text, jsonb), public.claim_generation(uuid),
    public.start_generation(uuid, text), public.read_generation(uuid, uuid), public.hear_generation(),
    public.settle_generation()
    from public, anon, authenticated, service_role;
grant execute on function
    public.grant_credits(uuid, integer, text), public.order_generation(uuid, uuid, text, text, jsonb),
    public.claim_generation(uuid), public.start_generation(uuid, text), public.fail_generation(uuid, text),
    public.read_generation(uuid, uuid), public.expire_generations(uuid)
    to service_role;

-- With pg_cron (Database, Extensions) overdue orders are refunded also for users who order nothing more.
do $$
begin
    if exists (select from pg_extension where extname = 'pg_cron') then
        perform cron.schedule('gallery-sync generations', '*/10 * * * *', 'select public.expire_generations()');
    end if;
end $$;

notify pgrst, 'reload schema';

commit;
