package import Catalog
import Configuration
import Control
import Gallery
import Output
import Platform
import Records
package import Reporting
import Text
import Transfer

extension Run {
    /// The report of the profile, from the lock's holder or, if that is silent, from the profile's files.
    ///
    /// - Parameters:
    ///   - library: The profile's library, if it is open already.
    ///   - looksAtDisk: Whether to count new files if no agent holds the lock.
    package func report(
        _ setup: Setup, _ depth: Reporter.Depth, library: Library? = nil, looksAtDisk: Bool = false
    ) async throws -> Report {
        // Programs get everything that a page has, except the thumbnails, which JSON does not contain.
        let depth = invocation.isJSON && depth == .summary ? .details : depth
        if let holder = try StateLock.holder(setup.locations) {
            let client = HTTPClient()
            defer { client.close() }
            let control = ControlClient(socket: holder.controlSocket, transport: client)
            // A silent holder is not an error, because its files contain most of the report.
            if let report = try? await control.report(depth) { return report.compared(to: Version.text) }
            if await control.isSilent() {
                var report = try await StoredReport(setup, library: library).report(depth, looksAtDisk: looksAtDisk)
                let words = Self.silence(of: holder)
                report.notes.append("\(words.prefix(1).uppercased() + words.dropFirst()): this is what its files say.")
                return report
            }
        }
        return try await StoredReport(setup, library: library).report(depth, looksAtDisk: looksAtDisk)
    }

    /// The report as JSON, or as text as wide as the terminal.
    package func show(_ report: Report, maxAge: Duration = Report.usualAge) throws {
        if invocation.isJSON { return try console.result(json: report.json(maxAge: maxAge)) }
        try console.result(lines(of: report))
    }

    /// The report as text.
    package func lines(of report: Report) -> [String] {
        TextReport(report, width: Self.columns(of: 1, atMost: 100), paint: console.paint).lines
    }
}
