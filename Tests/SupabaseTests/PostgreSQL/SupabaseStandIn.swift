/// The parts of a Supabase database that policies depend on, and a way to try statements.
enum SupabaseStandIn {
    static let ada = "0a0a0a0a-0000-4000-8000-000000000001"
    static let bob = "0b0b0b0b-0000-4000-8000-000000000002"

    /// Roles, `auth.uid()`, and the tables of Storage with row-level security on and no policy.
    static let schema = """
        create role anon nologin;
        create role authenticated nologin;
        create role service_role nologin bypassrls;
        create schema auth;
        create schema storage;
        create function auth.uid() returns uuid language sql stable as
            $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
        create table storage.buckets (
            id text primary key, name text not null unique, owner_id text, public boolean default false,
            created_at timestamptz default now());
        create table storage.objects (
            id uuid primary key default gen_random_uuid(), bucket_id text references storage.buckets, name text,
            owner_id text, version text, metadata jsonb, unique (bucket_id, name));
        create function storage.foldername(name text) returns text[] language sql immutable as
            $$ select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1] $$;
        alter table storage.buckets enable row level security;
        alter table storage.objects enable row level security;
        grant usage on schema auth, storage, public to anon, authenticated, service_role;
        grant all on all tables in schema storage to anon, authenticated, service_role;
        alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
        alter default privileges in schema public grant all on functions to anon, authenticated, service_role;

        -- Says how many rows a statement touches as that role and user, and undoes it; or why it may not.
        create function public.try(statement text, role text, uid text default '') returns text
        language plpgsql as $$
        declare touched bigint;
        begin
            perform set_config('request.jwt.claim.sub', uid, true);
            execute format('set local role %I', role);
            execute statement;
            get diagnostics touched = row_count;
            raise exception using errcode = 'ZZ001', message = touched::text;
        exception
            when sqlstate 'ZZ001' then return sqlerrm;
            when insufficient_privilege then return 'denied';
        end $$;

        """

    /// SQL that adds an object of a user to the bucket without regard to policies.
    static func object(_ name: String, in bucket: String, of user: String) -> String {
        "insert into storage.objects (bucket_id, name, owner_id) values ('\(bucket)', '\(name)', '\(user)');\n"
    }

    /// A query that returns the result of `statement`.
    static func attempt(_ statement: String, as role: String, _ user: String = "") -> String {
        "select public.try($statement$\(statement)$statement$, '\(role)', '\(user)');\n"
    }

    /// The statement that the server runs for an upload with upsert (contract 6.6).
    static func upsert(_ name: String, in bucket: String = "media") -> String {
        """
        insert into storage.objects (bucket_id, name, version) values ('\(bucket)', '\(name)', '2')
        on conflict (bucket_id, name) do update set version = excluded.version returning *
        """
    }
}
