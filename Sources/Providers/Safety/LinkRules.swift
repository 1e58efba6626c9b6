import Transfer

/// Which hosts a download may use and how large it may be; decides only, fetches nothing.
package struct LinkRules: Hashable, Sendable {
    /// Hosts such as `fal.media`, or `*.fal.media` for all below; `nil` for every public one.
    ///
    /// Providers move their files without notice, so there is no list unless the user sets one.
    var hosts: [String]?
    /// The lists of providers that have one of their own.
    package var providerHosts: [ProviderName: [String]] = [:]
    /// Origins such as `http://minio:9000` for which the user allowed plain HTTP and private addresses.
    var configured: Set<String>
    /// Bytes of one file at most.
    var sizeLimit: Int64

    /// Rules for links; entries of `configured` that are not addresses are left out.
    package init(hosts: [String]? = nil, configured: [String] = [], sizeLimit: Int64 = 20 << 30) {
        self.hosts = hosts?.map { $0.lowercased() }
        self.configured = Set(configured.compactMap { WebAddress($0)?.origin })
        self.sizeLimit = sizeLimit
    }
}

extension LinkRules {
    /// The rules for files of that provider.
    package func of(_ provider: ProviderName?) -> LinkRules {
        guard let provider, let hosts = providerHosts[provider] else { return self }
        var rules = self
        rules.hosts = hosts.map { $0.lowercased() }
        return rules
    }

    /// Why `link` must not be requested; `nil` where its text gives no reason.
    package func refusal(of link: String) -> LinkRefusal? {
        guard let address = WebAddress(link) else {
            let scheme = link.prefix { $0 != ":" }.lowercased()
            if ["file", "ftp", "data", "gopher"].contains(scheme) { return .scheme(scheme) }
            return WebAddress.hasForeignHost(link) ? .foreignLetters : .unreadable
        }
        guard !configured.contains(address.origin) else { return nil }
        guard address.scheme == "https" else { return .scheme(address.scheme) }
        if let literal = IPAddress(address.host) {
            guard literal.isPublic else { return .privateAddress(host: address.host, address: address.host) }
        } else if Self.isLocal(address.host) {
            return .localName(address.host)
        }
        return isAllowed(address.host) ? nil : .foreignHost(address.host)
    }

    /// Why the addresses that the link's host resolved to forbid connecting: one private address is enough.
    package func refusal(of link: String, resolvedTo addresses: [String]) -> LinkRefusal? {
        if let refusal = refusal(of: link) { return refusal }
        guard let address = WebAddress(link), !configured.contains(address.origin) else { return nil }
        let bad = addresses.first { IPAddress($0).map { !$0.isPublic } ?? true }
        return bad.map { .privateAddress(host: address.host, address: $0) }
    }

    /// The link a redirect leads to, judged like any other.
    package func target(of location: String, from link: String) throws(LinkRefusal) -> String {
        guard let target = Redirect.target(of: WebAddress.escaped(location), from: link) else { throw .unreadable }
        if let refusal = refusal(of: target) { throw refusal }
        return target
    }

    /// The most bytes a body may have: twice the `promised` size plus 1 MiB, never more than the limit.
    package func allowance(promised: Int64?) -> Int64 {
        guard let promised, promised > 0, promised < sizeLimit / 2 else { return sizeLimit }
        return min(sizeLimit, promised * 2 + (1 << 20))
    }

    /// Why a body that announces, or has delivered, `announced` bytes is not accepted.
    package func refusal(ofSize announced: Int64, promised: Int64? = nil) -> LinkRefusal? {
        let limit = allowance(promised: promised)
        return announced > limit ? .tooLarge(announced, limit: limit) : nil
    }

    private func isAllowed(_ host: String) -> Bool {
        hosts?.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) : host == $0 } ?? true
    }

    private static func isLocal(_ host: String) -> Bool {
        guard host.contains("."), !host.contains(":") else { return true }
        return [".localhost", ".local", ".internal", ".home.arpa", ".lan"].contains { host.hasSuffix($0) }
    }
}
