import Formats
import MediaModel
import Serving

/// How the bytes of an original are sent: which of them, with which type, and whether to view or to save.
struct OriginalDelivery: Sendable {
    private let request: Request
    private let name: [UInt8]
    private let type: MediaType?

    init(_ request: Request, name: [UInt8], type: MediaType?) {
        (self.request, self.name, self.type) = (request, name, type)
    }

    /// The answer with the requested range, whose bytes come from `body`.
    func answer(size: Int64, tag: String, body: (Range<Int64>) -> Response.Body) -> Response {
        var headers: Headers = [
            "content-type": isShown ? type?.rawValue ?? "" : "application/octet-stream", "etag": tag,
            "accept-ranges": "bytes", "cache-control": "private, no-cache", "content-disposition": disposition,
            // Bytes of any kind must not be able to run scripts.
            "content-security-policy": "default-src 'none'; sandbox",
        ]
        let whole = Response(status: 200, headers: headers, body: size == 0 ? .none : body(0..<size))
        if request.headers["if-none-match"] != nil { return whole.unlessKnown(to: request) }
        // A range that no file can have, such as 5-2, is ignored (RFC 9110, section 14.2).
        guard let wanted = request.headers["range"], RangeHeader.range(wanted, of: .max) != nil,
            request.headers["if-range"].map({ $0 == tag }) ?? true
        else { return whole }
        guard let range = RangeHeader.range(wanted, of: size) else {
            headers["content-range"] = "bytes */\(size)"
            return Response(status: 416, headers: headers)
        }
        headers["content-range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        return Response(status: 206, headers: headers, body: body(range))
    }

    /// Whether a browser may show it: only pictures, video and sound in formats that we recognise by their bytes.
    private var isShown: Bool {
        guard let type, type.fileExtension != nil, request.queryItem("download") == nil else { return false }
        // An SVG is a document with scripts, which would run with the page's own rights.
        if type.isDrawing { return false }
        return ["image/", "video/", "audio/"].contains { type.rawValue.hasPrefix($0) }
    }

    /// The name in ASCII for old programs, and as it is (RFC 6266).
    private var disposition: String {
        let plain = name.map { (0x20..<0x7F).contains($0) && !"\"\\%/".utf8.contains($0) ? $0 : UInt8(ascii: "_") }
        let whole = PercentEncoding.component.encoded(String(decoding: name, as: UTF8.self))
            .replacing("'", with: "%27").replacing("*", with: "%2A").replacing("(", with: "%28").replacing(
                ")", with: "%29")
        return "\(isShown ? "inline" : "attachment"); filename=\"\(String(decoding: plain, as: UTF8.self))\"; "
            + "filename*=UTF-8''\(whole)"
    }
}
