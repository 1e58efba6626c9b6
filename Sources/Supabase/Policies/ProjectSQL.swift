import Platform

/// The SQL that a project needs once: a private bucket, its policies, and the table of metadata rows.
///
/// `config/supabase/` holds the same text for the bucket `media` and the table `gallery_files`. Every statement may
/// be run again.
package enum ProjectSQL {
    /// All of `config/supabase/bucket.sql`, for this bucket.
    package static func bucket(_ bucket: String) -> String {
        """
        -- A private bucket in which every signed-in user has a folder of her own, named by her id.
        -- Run it in the project's SQL editor; it may be run again, and then makes the bucket private again.

        begin;

        \(privateBucket(bucket))

        \(BucketRight.allCases.map { policy($0, bucket: bucket) }.joined(separator: "\n\n"))

        \(bucketVisibility(bucket))

        commit;

        """
    }

    /// Makes the bucket, or makes it private.
    package static func privateBucket(_ bucket: String) -> String {
        """
        insert into storage.buckets (id, name, public)
        values (\(literal(bucket)), \(literal(bucket)), false)
        on conflict (id) do update set public = false;
        """
    }

    /// The policy that gives users one right on the objects in their own folder.
    package static func policy(_ right: BucketRight, bucket: String) -> String {
        let name = policyName(right.rawValue, bucket)
        let isOwn = "bucket_id = \(literal(bucket)) and (storage.foldername(name))[1] = (select auth.uid())::text"
        let conditions =
            switch right {
            case .select, .delete: "using (\(isOwn))"
            case .insert: "with check (\(isOwn))"
            case .update: "using (\(isOwn))\nwith check (\(isOwn))"
            }
        return """
            drop policy if exists \(name) on storage.objects;
            create policy \(name) on storage.objects for \(right.rawValue) to authenticated
            \(conditions);
            """
    }

    /// The policy that lets users see whether the bucket is private, and what it takes.
    package static func bucketVisibility(_ bucket: String) -> String {
        let name = policyName("bucket", bucket)
        return """
            drop policy if exists \(name) on storage.buckets;
            create policy \(name) on storage.buckets for select to authenticated
            using (id = \(literal(bucket)));
            """
    }

    /// Such as `"gallery-sync insert media"`; PostgreSQL keeps 63 bytes, so longer names end with a hash.
    private static func policyName(_ what: String, _ bucket: String) -> String {
        let name = "gallery-sync \(what) \(bucket)"
        guard name.utf8.count > 63 else { return identifier(name) }
        return identifier(String(name.prefix(54)) + " " + SHA256.hash(Array(bucket.utf8)).prefix(4).hexadecimal)
    }

    private static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    private static func identifier(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }
}
