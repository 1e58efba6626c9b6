import FoundationEssentials
import Gallery
import Rescue
import Text

/// A rescue listing as a table of at most `columns`: file, size, expiry, whether the file fits, state.
struct RescueLines {
    let listing: RescueListing
    let columns: Int
    let now: Date

    var lines: [String] {
        guard !listing.rows.isEmpty else { return ["Nothing to rescue."] }
        let cells = listing.rows.map(cells)
        let heads = ["FILE", "SIZE", "EXPIRES", "FITS", "STATE"]
        var widths = heads.map { DisplayText.width($0) }
        for row in cells {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], DisplayText.width(cell)) }
        }
        let others = widths.dropFirst().reduce(0, +) + 2 * (heads.count - 1)
        widths[0] = max(12, min(widths[0], columns - others))
        return ([heads] + cells).map { line($0, widths) } + notes + DisplayText.wrapped(summary, columns: columns)
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let name = DisplayText.left(DisplayText.keepingEnd(cells[0], columns: widths[0]), columns: widths[0])
        let size = DisplayText.right(cells[1], columns: widths[1])
        let rest = cells.indices.dropFirst(2).map { index in
            index == cells.count - 1 ? cells[index] : DisplayText.left(cells[index], columns: widths[index])
        }
        return ([name, size] + rest).joined(separator: "  ")
    }

    private func cells(_ row: RescueListing.Row) -> [String] {
        let name = DisplayText.safe(row.file ?? row.link ?? row.job)
        let size = row.size.map { Quantity.text(bytes: $0) } ?? "?"
        let isOver = ["stored", "failed", "refused", "cancelled"].contains(row.state)
        let fits = isOver ? "-" : row.fits.map { $0 ? "yes" : "no" } ?? "?"
        return [name, size, expiry(of: row), fits, row.state]
    }

    /// The expiry such as `in 23 h`, after a `~` if it is assumed; `-` if it is unknown.
    private func expiry(of row: RescueListing.Row) -> String {
        guard let expires = row.expires else { return "-" }
        let mark = row.isAssumed ? "~" : ""
        let left = Duration.seconds(expires.timeIntervalSince(now).rounded())
        guard left > .zero else { return mark + "expired" }
        return mark + "in " + Self.short(left)
    }

    /// The duration in its largest unit alone, so that the column stays narrow.
    private static func short(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86400) days"
        }
    }

    /// Why something failed or waits, each reason once.
    private var notes: [String] {
        var told: Set<String> = []
        let reasons = listing.rows.compactMap { row in
            row.note.map { "\(DisplayText.safe(row.file ?? row.link ?? row.job)): \(DisplayText.safe($0))" }
        }
        return (reasons + listing.notes.map(DisplayText.safe)).filter { told.insert($0).inserted }
            .flatMap { DisplayText.wrapped($0, columns: columns) }
    }

    private var summary: String {
        let count = listing.rows.count
        let sizes = listing.rows.compactMap(\.size)
        let missing = count - sizes.count
        let known = sizes.isEmpty ? [] : [Quantity.text(bytes: sizes.reduce(Int64(0)) { $0.adding(size: $1) })]
        let which = missing == count ? "" : "\(Quantity.text(count: missing)) "
        let unknown = missing == 0 ? [] : ["\(which)of unknown size"]
        let isAssumed = listing.rows.contains { $0.isAssumed && $0.expires != nil }
        let assumed = isAssumed ? "; ~ is the provider's usual time" : ""
        return "\(([Quantity.text(count, "file")] + known + unknown).joined(separator: ", "))\(assumed)."
    }
}
