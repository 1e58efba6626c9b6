import Records
import Text

extension Report {
    /// The status document in JSON, UTF-8, keys sorted, without thumbnails, ending in a newline.
    ///
    /// A key without a value is `null`, so that every documented key is always present. The document also has what the
    /// text says: `headline`, `percent`, and in `reasons` what a monitor should report.
    ///
    /// - Parameters:
    ///   - isLine: Whether it is a single line.
    ///   - maxAge: How long a file may wait, and a root go without a scan.
    package func json(isLine: Bool = false, maxAge: Duration = usualAge) throws -> [UInt8] {
        let report = WordedReport(report: withoutPictures, reasons: reasons(maxAge: maxAge))
        return isLine ? try JSONDocument.line(report) : try JSONDocument.bytes(report)
    }

    private var withoutPictures: Report {
        var report = self
        for index in report.recent.indices { report.recent[index].thumbnail = nil }
        return report
    }
}

/// A report together with the sentences that its readers would otherwise have to word themselves.
private struct WordedReport: Encodable {
    let report: Report
    let reasons: [Report.Reason]

    private struct Reason: Encodable {
        let ending: Ending.Kind
        let message: String
        let next: String
    }

    private enum CodingKeys: String, CodingKey {
        case headline, percent, reasons
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var more = encoder.container(keyedBy: CodingKeys.self)
        try more.encode(report.headline, forKey: .headline)
        try more.encode(report.percentStored, forKey: .percent)
        let reasons = reasons.map { Reason(ending: $0.kind, message: $0.message, next: $0.next) }
        try more.encode(reasons, forKey: .reasons)
    }
}
