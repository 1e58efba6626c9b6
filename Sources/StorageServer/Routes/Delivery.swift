import Formats
import ObjectStore
import Serving

/// The headers of an answer with an object, and which part of it the request wants.
struct Delivery {
    let object: IndexedObject
    let call: RoutedRequest
    /// When the signed URL of this request expires, in seconds since 1970; `nil` without one.
    let expires: Int64?

    private var content: IndexedObject.Content { object.content }
    private var knownTag: String? { call.header("if-none-match") }

    /// Whether the client already has these bytes.
    var isFresh: Bool {
        if let knownTag { return knownTag == content.eTag }
        guard let date = call.header("if-modified-since").flatMap(ServerTime.milliseconds(httpDate:)) else {
            return false
        }
        return content.modifiedAt / 1000 * 1000 <= date
    }

    /// The requested bytes; `nil` for all.
    ///
    /// Only a single range is supported (contract, section 1.3).
    func range() throws(ProtocolRefusal) -> Range<Int64>? {
        guard let header = call.header("range") else { return nil }
        guard let range = RangeHeader.range(header, of: content.size) else { throw .badRange }
        return range
    }

    /// An answer with everything that is known about the object in its headers.
    func answer(_ status: Int, _ body: Response.Body) -> Response {
        var headers: Headers = [
            "Accept-Ranges": "bytes",
            "Content-Type": content.type.contains("text/html") ? "text/plain" : content.type,
            "ETag": content.eTag,
            "Last-Modified": ServerTime(milliseconds: content.modifiedAt).httpDate,
            "X-Robots-Tag": content.robots ?? "none",
        ]
        if let expires {
            headers["Expires"] = ServerTime(milliseconds: expires * 1000).httpDate
        } else {
            headers["Cache-Control"] = cacheControl
        }
        headers["Content-Disposition"] = disposition
        return Response(status: status, headers: headers, body: body)
    }

    private var cacheControl: String {
        guard let knownTag, knownTag != content.eTag else { return content.cacheControl }
        let isHead = call.request.method == "HEAD"
        return content.cacheControl + (isHead ? ", must-revalidate" : ", stale-while-revalidate=30")
    }

    private var disposition: String? {
        guard let name = call.request.queryItem("download") else { return nil }
        if name.isEmpty { return "attachment;" }
        let encoded = PercentEncoding.component.encoded(name)
        return "attachment; filename=\(encoded); filename*=UTF-8''\(encoded)"
    }
}
