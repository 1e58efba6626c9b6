-- The inbox of rescues: what the function provider-webhook heard from a provider waits here for an agent.
-- Run it in the project's SQL editor; it may be run again.

begin;

create table if not exists public.rescue_inbox (
    id bigint generated always as identity primary key,
    provider text not null,
    provider_job text not null,
    status text not null check (status in ('succeeded', 'failed')),
    -- What the provider sent. Its links open without a key, so it is emptied once the files are stored.
    payload jsonb,
    error text,
    -- What the order called itself in the webhook's address.
    reference text,
    -- Whose files they are; a row without an owner is the service role's.
    owner uuid,
    received_at timestamptz not null default now(),
    claims integer not null default 0,
    lease_until timestamptz,
    -- Proves the latest claim: who comes back with an older one lost it meanwhile.
    token uuid unique,
    object_key text,
    finished_at timestamptz,
    -- A provider calls again until it is answered; a job has one row all the same.
    unique (provider, provider_job)
);

create index if not exists rescue_inbox_waiting on public.rescue_inbox (received_at, id) where finished_at is null;

alter table public.rescue_inbox enable row level security;
revoke all on public.rescue_inbox from anon, authenticated, service_role;
grant select, insert, update, delete on public.rescue_inbox to service_role;
grant select, update (payload, claims, lease_until, token, object_key, finished_at)
    on public.rescue_inbox to authenticated;

drop policy if exists "gallery-sync see own rescues" on public.rescue_inbox;
create policy "gallery-sync see own rescues" on public.rescue_inbox for select to authenticated
using (owner = (select auth.uid()));

drop policy if exists "gallery-sync claim own rescues" on public.rescue_inbox;
create policy "gallery-sync claim own rescues" on public.rescue_inbox for update to authenticated
using (owner = (select auth.uid()))
with check (owner = (select auth.uid()));

-- Writes the one row of a job; false where it is there already. The webhook has checked the signature.
create or replace function public.receive_rescue(
    p_provider text, p_job text, p_status text, p_payload jsonb default null, p_error text default null,
    p_reference text default null, p_owner uuid default null
) returns boolean language sql set search_path = '' as $$
    with received as (
        insert into public.rescue_inbox (provider, provider_job, status, payload, error, reference, owner)
        values (p_provider, p_job, p_status, p_payload, p_error, p_reference, p_owner)
        on conflict (provider, provider_job) do nothing
        returning id)
    select exists (select from received)
$$;

-- Takes up to p_limit waiting rows for as long as p_lease, the oldest first: their links end first. A row that
-- another claim is just taking is passed over, not waited for, so two machines never hold the same one.
create or replace function public.claim_rescues(p_limit integer default 10, p_lease interval default '10 minutes')
returns setof public.rescue_inbox language plpgsql set search_path = '' as $$
begin
    if p_limit not between 1 and 100 or p_lease <= interval '0' or p_lease > interval '1 day' then
        raise exception 'claim_rescues takes 1 to 100 rows for at most a day' using errcode = '22023';
    end if;
    return query
        with waiting as (
            select i.id from public.rescue_inbox i
            where i.finished_at is null and (i.lease_until is null or i.lease_until <= now())
            order by i.received_at, i.id
            limit p_limit
            for update skip locked)
        update public.rescue_inbox i
        set claims = i.claims + 1, lease_until = now() + p_lease, token = gen_random_uuid()
        from waiting w where i.id = w.id
        returning i.*;
end $$;

-- Holds a claimed row longer, for a long download; false where another machine has taken it since.
create or replace function public.renew_rescue(p_token uuid, p_lease interval default '10 minutes')
returns boolean language sql set search_path = '' as $$
    with renewed as (
        update public.rescue_inbox
        set lease_until = now() + least(greatest(p_lease, interval '1 second'), interval '1 day')
        where token = p_token and finished_at is null
        returning id)
    select exists (select from renewed)
$$;

-- Ends a claimed row: stored as p_object_key, or not to be had where that is null. True again when it is asked
-- again, since an answer can be lost; false where another machine has taken the row since.
create or replace function public.finish_rescue(p_token uuid, p_object_key text default null)
returns boolean language sql set search_path = '' as $$
    with finished as (
        update public.rescue_inbox
        set finished_at = now(), object_key = p_object_key, payload = null, lease_until = null
        where token = p_token and finished_at is null
        returning id)
    select exists (select from finished)
        or exists (select from public.rescue_inbox where token = p_token and finished_at is not null)
$$;

revoke execute on function
    public.receive_rescue(text, text, text, jsonb, text, text, uuid), public.claim_rescues(integer, interval),
    public.renew_rescue(uuid, interval), public.finish_rescue(uuid, text)
    from public, anon, authenticated, service_role;
grant execute on function public.receive_rescue(text, text, text, jsonb, text, text, uuid) to service_role;
grant execute on function
    public.claim_rescues(integer, interval), public.renew_rescue(uuid, interval), public.finish_rescue(uuid, text)
    to authenticated, service_role;

notify pgrst, 'reload schema';

commit;
