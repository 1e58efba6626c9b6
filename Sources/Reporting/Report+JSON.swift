import Text

extension Report {
    /// The status document in JSON, UTF-8, keys sorted, without thumbnails, ending in a newline.
    ///
    /// A key without a value is `null`, so that every documented key is always present.
    /// - Parameter isLine: Whether it is a single line.
    package func json(isLine: Bool = false) throws -> [UInt8] {
        isLine ? try JSONDocument.line(withoutPictures) : try JSONDocument.bytes(withoutPictures)
    }

    /// The same on one line, with the words and the figure that a page begins with: `headline`, `percent`.
    package func pageJSON() throws -> [UInt8] {
        try JSONDocument.line(
            HeadlinedReport(report: withoutPictures, headline: headline, percent: percentStored))
    }

    private var withoutPictures: Report {
        var report = self
        for index in report.recent.indices { report.recent[index].thumbnail = nil }
        return report
    }
}

/// A report with what a page would otherwise have to word itself.
private struct HeadlinedReport: Encodable {
    let report: Report
    let headline: String
    let percent: Int

    private enum CodingKeys: String, CodingKey {
        case headline, percent
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var more = encoder.container(keyedBy: CodingKeys.self)
        try more.encode(headline, forKey: .headline)
        try more.encode(percent, forKey: .percent)
    }
}
