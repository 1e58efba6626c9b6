import Text

extension Report {
    /// The status document in JSON, UTF-8, keys sorted, without thumbnails, ending in a newline.
    ///
    /// A key without a value is `null`, so that every documented key is always present.
    /// - Parameter isLine: Whether it is a single line.
    package func json(isLine: Bool = false) throws -> [UInt8] {
        var document = self
        for index in document.recent.indices { document.recent[index].thumbnail = nil }
        return isLine ? try JSONDocument.line(document) : try JSONDocument.bytes(document)
    }
}
