import Rescue
import Text

extension HTMLReport {
    /// The providers' files that are not stored yet; files in danger come first.
    var rescue: String {
        guard let rescue = report.rescue else { return "" }
        let rows = rescue.files.map { file in
            let expires = file.expires.map { (file.assumed ? "about " : "") + time($0) } ?? ""
            let message = file.message.map { "<p class=\"message\">\(escape($0))</p>" } ?? ""
            let size = file.size.map { Quantity.text(bytes: $0) } ?? ""
            return """
                <tr><th scope="row"><code>\(file.word)</code></th>
                <td class="where"><bdi>\(escape(file.file))</bdi>\(message)</td>
                <td class="number">\(size)</td><td class="number">\(expires)</td></tr>
                """
        }
        let rate = rescue.rate.map { ", " + Quantity.text(bytesPerSecond: $0) } ?? ""
        let table = rows.isEmpty ? "" : "<table>\(rows.joined(separator: "\n"))</table>"
        let blocked = (rescue.blocked ?? []).map { "<p class=\"message\">\(escape($0))</p>" }.joined()
        return section("Rescue", aside: rescue.summary + rate, "<div>\(blocked)\(table)</div>")
    }
}

extension RescueSummary.File {
    /// The word shown to the user.
    var word: String {
        switch danger {
        case .lost where fileless == true: "failed"
        case .late: "too late"
        case .soon: "soon gone"
        case .lost: "lost"
        case .none: "waiting"
        }
    }
}

extension RescueSummary {
    /// Such as `2 to fetch · 12 stored`; zero counts are left out.
    var summary: String {
        let counts = [
            (running, "in the making"), (open, "to fetch"), (safe, "on this disk"), (stored, "stored"),
            (failed - (fileless ?? 0), "lost"), (fileless ?? 0, "ended without a file"),
        ].filter { $0.0 > 0 }
        return counts.map { "\(Quantity.text(count: $0.0)) \($0.1)" }.joined(separator: " · ")
    }
}
