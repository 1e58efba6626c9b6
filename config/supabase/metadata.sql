-- A row for each stored photo and video, for the setting destination.metadataTable = "gallery_files".
-- Run it in the project's SQL editor; it may be run again.

begin;

create table if not exists public."gallery_files" (
    bucket text not null,
    object_key text not null,
    path text not null,
    sha256 text not null,
    size bigint not null,
    content_type text not null,
    width integer,
    height integer,
    duration double precision,
    taken_at timestamptz,
    modified_at timestamptz not null,
    stored_at timestamptz not null,
    thumbnail_key text,
    primary key (bucket, object_key)
);

alter table public."gallery_files" enable row level security;
revoke all on public."gallery_files" from anon;
grant select, insert, update, delete on public."gallery_files" to authenticated, service_role;

drop policy if exists "gallery-sync own rows" on public."gallery_files";
create policy "gallery-sync own rows" on public."gallery_files" to authenticated
using (split_part(object_key, '/', 1) = (select auth.uid())::text)
with check (split_part(object_key, '/', 1) = (select auth.uid())::text);

notify pgrst, 'reload schema';

commit;
