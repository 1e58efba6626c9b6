/// The URLs of a destination's Auth server and database.
package enum AuthPlace {
    /// The base URL of Auth for a destination's URL; `nil` if that names a storage without a gateway.
    ///
    /// A project's URL has no path, or the gateway's path to its storage.
    package static func base(for url: String) -> String? { gateway(of: url).map { $0 + "/auth/v1" } }

    /// The base URL of the database for a destination's URL; `nil` if `base(for:)` is.
    package static func database(for url: String) -> String? { gateway(of: url).map { $0 + "/rest/v1" } }

    private static func gateway(of url: String) -> String? {
        let plain = String(url.reversed().drop { $0 == "/" }.reversed())
        if plain.hasSuffix("/storage/v1") {
            return direct(String(plain.dropLast("/storage/v1".count)))
        }
        let rest = plain.split(separator: "://", maxSplits: 1).last ?? ""
        return rest.isEmpty || rest.contains("/") ? nil : direct(plain)
    }

    /// Replaces a hosted project's storage host, which serves storage only, by its main host.
    private static func direct(_ gateway: String) -> String {
        gateway.hasPrefix("https://") ? gateway.replacing(".storage.supabase.", with: ".supabase.") : gateway
    }
}
