package import Supabase

/// Finds the files a body of any shape links to, each once, in an order that does not change.
///
/// A link is a string under `url`, `uri` or a name ending in `_url`, an element of a list of links, or any address
/// whose path ends like a media file. The user's own input, logs and the provider's calls are left out.
package enum MediaWalker {
    /// The files that `body` links to, videos first.
    ///
    /// - Parameter isNamed: Whether the user has named `body` as the place of the files: then an address directly in it
    ///   needs neither a name nor an extension, and if no file is found, every address counts.
    package static func files(in body: JSONValue, isNamed: Bool = false) -> [RemoteMedia] {
        var found: [RemoteMedia] = []
        walk(body, field: isNamed ? "url" : "", holder: "", siblings: .null, into: &found)
        if isNamed, found.isEmpty { found = addresses(in: body).map { RemoteMedia($0, .unknown) } }
        var seen: Set<String> = []
        let once = found.filter { seen.insert($0.identity).inserted }
        return once.filter { $0.kind == .video } + once.filter { $0.kind != .video }
    }

    private static func addresses(in body: JSONValue) -> [String] {
        switch body {
        case .object where body.isInput: []
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { isApart($0.key) ? [] : addresses(in: $0.value) }
        case .array(let elements): elements.flatMap(addresses)
        case .string(let text): WebAddress(text)?.isOfWeb == true ? [text] : []
        default: []
        }
    }

    private static func walk(
        _ value: JSONValue, field: String, holder: String, siblings: JSONValue, into found: inout [RemoteMedia]
    ) {
        switch value {
        case .object where value.isInput: break
        case .object(let members):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) where !isApart(name) {
                walk(member, field: name, holder: field, siblings: value, into: &found)
            }
        case .array(let elements):
            for element in elements { walk(element, field: field, holder: holder, siblings: .null, into: &found) }
        case .string(let text):
            if let media = media(text, field: field, holder: holder, siblings: siblings) { found.append(media) }
        default: break
        }
    }

    private static func media(_ text: String, field: String, holder: String, siblings: JSONValue) -> RemoteMedia? {
        guard let address = WebAddress(text), address.isOfWeb else { return nil }
        let byName = RemoteMedia.Kind(fileExtension: address.fileExtension)
        guard byName != nil || isLink(field) else { return nil }
        var media = RemoteMedia(text, .unknown)
        if field == "url" || field == "uri" { media.describe(by: siblings) }
        media.kind =
            media.contentType.flatMap { .init(contentType: $0) } ?? byName
            ?? siblings["type"]?.string.flatMap { .init(rawValue: $0) } ?? .init(fieldName: field)
            ?? .init(fieldName: holder) ?? .unknown
        return media
    }

    private static func isLink(_ field: String) -> Bool {
        let name = field.lowercased()
        return ["url", "uri", "output", "unsigned_urls", "urls", "video", "image", "audio"].contains(name)
            || name.hasSuffix("_url") || field.hasSuffix("Url") || field.hasSuffix("URL")
    }

    /// Whether a member describes the call, not what it produced.
    private static func isApart(_ name: String) -> Bool {
        apart.contains(name.lowercased())
    }

    private static let apart: Set<String> = [
        "input", "json_input", "logs", "detail", "error", "parameters", "request", "prompt",
        "status_url", "response_url", "cancel_url", "polling_url", "callback_url", "webhook_url", "fal_webhook",
        "@type",
    ]
}

extension RemoteMedia {
    /// Takes over what the object around a link says about the file.
    mutating func describe(by fields: JSONValue) {
        contentType = fields["content_type"]?.string ?? fields["mime_type"]?.string ?? fields["mimeType"]?.string
        fileName = fields["file_name"]?.string
        size = fields["file_size"]?.whole.flatMap { $0 >= 0 ? Int64($0) : nil }
        width = fields["width"]?.whole
        height = fields["height"]?.whole
        duration = fields["duration"]?.decimal
        fps = fields["fps"]?.decimal
        hasAudio = fields["has_audio"]?.flag
    }
}
