-- A private bucket in which every signed-in user has a folder of her own, named by her id.
-- Run it in the project's SQL editor; it may be run again, and then makes the bucket private again.

begin;

insert into storage.buckets (id, name, public)
values ('media', 'media', false)
on conflict (id) do update set public = false;

drop policy if exists "gallery-sync select media" on storage.objects;
create policy "gallery-sync select media" on storage.objects for select to authenticated
using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "gallery-sync insert media" on storage.objects;
create policy "gallery-sync insert media" on storage.objects for insert to authenticated
with check (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "gallery-sync update media" on storage.objects;
create policy "gallery-sync update media" on storage.objects for update to authenticated
using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text)
with check (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "gallery-sync delete media" on storage.objects;
create policy "gallery-sync delete media" on storage.objects for delete to authenticated
using (bucket_id = 'media' and (storage.foldername(name))[1] = (select auth.uid())::text);

drop policy if exists "gallery-sync bucket media" on storage.buckets;
create policy "gallery-sync bucket media" on storage.buckets for select to authenticated
using (id = 'media');

commit;
