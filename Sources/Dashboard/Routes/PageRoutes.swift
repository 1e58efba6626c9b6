import PageFiles
import Platform
import Serving

/// The page's own files.
enum PageRoutes {
    private struct Entry {
        let file: PageFile
        let eTag: String
    }

    private static let entries: [String: Entry] = Dictionary(
        uniqueKeysWithValues: PageFile.all.map { file in
            let hash = SHA256.hash(file.bytes).prefix(12).hexadecimal
            return (file.name, Entry(file: file, eTag: "\"\(hash)\""))
        })

    /// The file called `name`, or 304 where the browser has it; throws where there is none.
    static func file(_ name: some StringProtocol, for request: Request) throws -> Response {
        guard let entry = entries[String(name)] else { throw PageRefusal.noSuchPlace }
        let headers: Headers = [
            "content-type": type(of: entry.file.name), "etag": entry.eTag,
            // The browser must always ask, so that it shows the page of a newer program at once.
            "cache-control": "no-cache",
        ]
        return Response(status: 200, headers: headers, body: .bytes(entry.file.bytes)).unlessKnown(to: request)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
