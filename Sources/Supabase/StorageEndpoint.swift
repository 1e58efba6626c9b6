package import Platform

/// Where a Storage service answers.
package struct StorageEndpoint: Hashable, Sendable {
    /// The base URL without a slash at its end, with `/storage/v1` where there is a gateway.
    package let base: String
    /// The socket to connect to instead of the base's host.
    package let unixSocket: FilePath?

    /// Removes slashes at the end of `base`.
    package init(base: String, unixSocket: FilePath? = nil) {
        self.base = String(base.reversed().drop { $0 == "/" }.reversed())
        self.unixSocket = unixSocket
    }
}

extension StorageEndpoint {
    /// The address as people write it: the base without the gateway's path.
    package var address: String {
        let path = "/storage/v1"
        return base.hasSuffix(path) ? String(base.dropLast(path.count)) : base
    }

    /// Whether the host is this computer, so that no other host can read what is sent.
    package var isLoopback: Bool {
        guard let rest = authority else { return false }
        let host = rest.prefix { $0 != ":" }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isIPv4 = octets.count == 4 && octets.first == 127 && !octets.contains(nil)
        return host == "localhost" || isIPv4 || rest.hasPrefix("[::1]:") || rest == "[::1]"
    }

    /// The host and port in the base; `nil` if it names a user, since a user's name may look like a host.
    private var authority: Substring? {
        let rest = base.split(separator: "://", maxSplits: 1).last ?? ""
        // Some programs read a backslash as a slash, others as part of a user's name.
        let authority = rest.prefix { !"/?#".contains($0) }
        return authority.contains { "@\\".contains($0) } ? nil : authority
    }

    /// The name of the hosted project, such as `abc` of `https://abc.supabase.co`; `nil` for other servers.
    package var project: String? {
        guard let authority else { return nil }
        let labels = authority.prefix { $0 != ":" }.lowercased().split(separator: ".")
        guard labels.suffix(2).first == "supabase", let domain = labels.last, Self.hostedDomains.contains(domain)
        else { return nil }
        let isProject = labels.count == 3 || labels.count == 4 && labels[1] == "storage"
        return isProject ? String(labels[0]) : nil
    }

    /// Where large bodies are sent: a hosted project's storage host, which avoids the gateway's buffering.
    ///
    /// `https://<ref>.supabase.co` becomes `https://<ref>.storage.supabase.co`; every other endpoint stays as it is.
    package var direct: StorageEndpoint {
        guard unixSocket == nil, base.hasPrefix("https://"), authority != nil else { return self }
        let rest = base.dropFirst("https://".count)
        let end = rest.firstIndex { "/:".contains($0) } ?? rest.endIndex
        let labels = rest[..<end].lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 3, labels[1] == "supabase", Self.hostedDomains.contains(labels[2]), !labels[0].isEmpty
        else { return self }
        return StorageEndpoint(base: "https://\(labels[0]).storage.supabase.\(labels[2])\(rest[end...])")
    }

    /// The platform's top-level domains: production and its two stages.
    private static let hostedDomains: Set<Substring> = ["co", "in", "red"]
}
