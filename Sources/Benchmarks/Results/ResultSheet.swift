import FoundationEssentials

/// All measurements of a run, and the machine they were taken on.
struct ResultSheet: Sendable {
    let machine: Machine
    let measurements: [Measurement]

    /// The measurements in columns, for the user.
    var table: String {
        let head = [["", "what", "gallery-sync", "peer", "ratio", "goal", ""]]
        let rows = head + measurements.map(\.cells)
        let widths = (0..<7).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return ([machine.text, ""] + lines).joined(separator: "\n")
    }

    /// One document with every number unrounded.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Document(self)), as: UTF8.self)
    }
}

extension Measurement {
    /// The cells of the measurement's line in the table.
    fileprivate var cells: [String] {
        switch outcome {
        case .measured(let ours, let peer, let goal):
            let other = peer.map { "\($0.name) \($0.reading.text)" } ?? ""
            let limit = peer == nil ? Figure(goal.limit, ours.unit).text : "\(Figure.digits(goal.limit))×"
            let ratio = ratio.map { "\(Figure.digits($0))×" } ?? ""
            let end = verdict == .unmeasured ? "not compared" : verdict.rawValue
            return [row, what, ours.text, other, ratio, "\(goal.sign) \(limit)", end]
        case .alone(let ours, let missing):
            return [row, what, ours.text, missing, "", "", "not compared"]
        case .unmeasured(let reason):
            return [row, what, "", reason, "", "", "not measured"]
        case .failed(let reason):
            return [row, what, "", reason, "", "", "failed"]
        }
    }
}

// MARK: - JSON

extension ResultSheet {
    private struct Document: Encodable {
        let schema = "gallery-sync/bench/1"
        let cores: Int
        let load: Double
        let measurements: [Line]

        init(_ sheet: ResultSheet) {
            cores = sheet.machine.cores
            load = sheet.machine.load
            measurements = sheet.measurements.map(Line.init)
        }
    }

    private struct Line: Encodable {
        let row: String
        let what: String
        var value: Double?
        var unit: String?
        var peer: String?
        var peerValue: Double?
        var ratio: Double?
        var goal: Double?
        var goalIs: String?
        let verdict: String
        var reason: String?

        init(_ measurement: Measurement) {
            row = measurement.row
            what = measurement.what
            verdict = measurement.verdict.rawValue
            ratio = measurement.ratio?.ifFinite
            switch measurement.outcome {
            case .measured(let ours, let other, let limit):
                (value, unit) = (ours.value.ifFinite, ours.unit.rawValue)
                (peer, peerValue) = (other?.name, other?.reading.value.ifFinite)
                (goal, goalIs) = (limit.limit, limit.sign == "≥" ? "atLeast" : "atMost")
            case .alone(let ours, let missing):
                (value, unit, reason) = (ours.value.ifFinite, ours.unit.rawValue, missing)
            case .unmeasured(let text), .failed(let text): reason = text
            }
        }
    }
}

extension Double {
    /// The number if JSON can hold it; `nil` if it is infinite or NaN, such as a time that never came.
    fileprivate var ifFinite: Double? { isFinite ? self : nil }
}
