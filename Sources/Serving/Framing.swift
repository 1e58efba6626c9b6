import CMicroHTTPD
import Glibc

/// Whether a request is unambiguous about where it ends (RFC 9112, sections 2.2, 5.2, 6.3).
///
/// libmicrohttpd 0.9.75 takes the first of two lengths, prefers chunks to a length, and reads texts up to a NUL;
/// a proxy or another server may read them differently.
enum Framing {
    /// The answer to an ambiguous request, after which the connection ends.
    static let refusal = Response(
        status: 400, headers: ["Content-Type": "text/plain", "Connection": "close"],
        body: .bytes(Array("Bad Request".utf8)))

    /// Whether the header lines are unambiguous about where they and the body end.
    static func isClear(_ headers: Headers) -> Bool {
        // Some programs take a carriage return alone for the end of a line (RFC 9112, section 2.2).
        let hasReturn = headers.lines.contains { $0.name.utf8.contains(0x0D) || $0.value.utf8.contains(0x0D) }
        guard !hasReturn else { return false }
        func values(_ name: String) -> [String] {
            headers.lines.filter { $0.name.lowercased() == name }.map(\.value)
        }
        let (lengths, encodings) = (values("content-length"), values("transfer-encoding"))
        guard lengths.count + encodings.count <= 1 else { return false }
        // Of two `Host` lines, a proxy may use the other one (RFC 9112, section 3.2).
        guard values("host").count <= 1 else { return false }
        // For a longer length libmicrohttpd would wait for bytes, but the handler would expect none.
        return lengths.allSatisfy { Int64($0) != nil && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            && encodings.allSatisfy { $0.lowercased() == "chunked" }
    }

    /// Whether `text` has no carriage return, which alone ends the line for some programs.
    static func isOneLine(_ text: UnsafePointer<CChar>) -> Bool { strchr(text, 0x0D) == nil }

    /// Whether the HTTP version directly follows `target`; it does not if a NUL is in the request line.
    static func isWhole(target: UnsafePointer<CChar>) -> Bool {
        isOneLine(target) && strncmp(target + strlen(target) + 1, "HTTP/", 5) == 0
    }
}

extension ConnectionHandle {
    /// Whether every header line ends where libmicrohttpd says that its value does.
    ///
    /// The lines are consecutive in the connection's memory, with the ends of texts and lines overwritten by NULs:
    /// anything else between a value and the next name was hidden behind a NUL that the client sent, or is the second
    /// line of a folded header.
    func hasWholeLines(endingAt end: UnsafePointer<CChar>) -> Bool {
        var walk = Walk()
        withUnsafeMutablePointer(to: &walk) { walk in
            _ = MHD_get_connection_values_n(
                pointer, .HEADER_KIND,
                { context, _, name, _, value, length in
                    guard let context, let name, let value else { return .YES }
                    context.assumingMemoryBound(to: Walk.self).pointee.visit(name, value, length)
                    return .YES
                }, walk)
        }
        walk.close(at: end, lines: 2)
        return walk.isWhole
    }

    private struct Walk {
        private(set) var isWhole = true
        private var valueEnd: UnsafePointer<CChar>?

        mutating func visit(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>, _ length: Int) {
            close(at: name)
            valueEnd = value + length
        }

        /// Checks that only the ends of `lines` lines stand between the last value and `next`.
        mutating func close(at next: UnsafePointer<CChar>, lines: Int = 1) {
            guard let end = valueEnd else { return }
            guard end < next else { return isWhole = false }
            let rest = UnsafeBufferPointer(start: end, count: next - end)
            let afterBlanks = rest.drop { $0 == 0x20 || $0 == 0x09 }
            isWhole = isWhole && afterBlanks.count <= 2 * lines && afterBlanks.allSatisfy { $0 == 0 }
        }
    }
}
