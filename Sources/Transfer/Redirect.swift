import CCurl

/// Where a redirect leads.
package enum Redirect {
    /// The absolute URL that `location` means in an answer from `url`; `nil` where it means none (RFC 3986).
    package static func target(of location: String, from url: String) -> String? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        // The caller decides which schemes it follows.
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            curl_url_set(handle, CURLUPART_URL, location, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK
        else { return nil }
        return Origin.part(CURLUPART_URL, of: handle)
    }
}

extension HTTPRequest {
    /// The request that a redirect asks for; `nil` where it asks for none or must not be followed.
    ///
    /// Only GET and HEAD are redirected, and never from https to http. Another origin gets only the headers
    /// that say which bytes are wanted: every other one may be a secret (RFC 9110 section 15.4).
    func redirected(by response: HTTPResponse) -> HTTPRequest? {
        guard method == .get || method == .head, [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["location"], let here = Origin(url: url),
            let target = Redirect.target(of: location, from: url), let there = Origin(url: target)
        else { return nil }
        guard here == there || !(here.scheme == "https" && there.scheme != "https") else { return nil }
        var next = self
        next.url = target
        guard here != there else { return next }
        next.unixSocket = nil
        next.headers = HTTPHeaders(headers.fields.filter { Self.harmless.contains($0.name.lowercased()) })
        return next
    }

    private static let harmless: Set<String> = ["accept", "range", "if-range", "if-none-match", "if-modified-since"]
}

/// Scheme, host and port of a URL: who can read what is sent there.
struct Origin: Hashable {
    let scheme: String
    let host: String
    let port: String

    /// The origin of an absolute http or https URL.
    init?(url: String) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased(), ["http", "https"].contains(scheme),
            let host = Self.part(CURLUPART_HOST, of: handle)?.lowercased(),
            let port = Self.part(CURLUPART_PORT, of: handle)
        else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// One part of a parsed URL; where the URL names no port, the scheme's.
    fileprivate static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
