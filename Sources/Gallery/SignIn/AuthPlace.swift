/// Where a destination's sign-in and database answer.
package enum AuthPlace {
    /// The base of Auth for a destination's URL; `nil` where it names a storage without the gateway before it.
    ///
    /// A project's URL has no path, or the gateway's path to its storage.
    package static func base(for url: String) -> String? { gateway(of: url).map { $0 + "/auth/v1" } }

    /// The base of the database for a destination's URL, likewise.
    package static func database(for url: String) -> String? { gateway(of: url).map { $0 + "/rest/v1" } }

    private static func gateway(of url: String) -> String? {
        let plain = String(url.reversed().drop { $0 == "/" }.reversed())
        if plain.hasSuffix("/storage/v1") {
            return direct(String(plain.dropLast("/storage/v1".count)))
        }
        let rest = plain.split(separator: "://", maxSplits: 1).last ?? ""
        return rest.isEmpty || rest.contains("/") ? nil : direct(plain)
    }

    /// A hosted project's storage host leads to storage only.
    private static func direct(_ gateway: String) -> String {
        gateway.hasPrefix("https://") ? gateway.replacing(".storage.supabase.", with: ".supabase.") : gateway
    }
}
