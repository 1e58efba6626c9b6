import FoundationEssentials
import Text

extension HTMLReport {
    /// Bytes over time as a bar chart; the newest 60 spans.
    var history: String {
        let spans = filled(report.history).suffix(Chart.limit)
        guard spans.contains(where: { $0.bytes > 0 }) else { return "" }
        let bytes = spans.reduce(0) { $0 + $1.bytes }
        return section(
            "Bytes stored over time", aside: Quantity.text(bytes: bytes),
            "<div class=\"plot\">\(Chart(spans: Array(spans)).svg)</div>")
    }

    /// The spans with empty ones inserted into gaps, so that the time axis is even.
    private func filled(_ spans: [Report.Span]) -> [Report.Span] {
        let starts = zip(spans, spans.dropFirst()).map { $1.start.timeIntervalSince($0.start) }
        guard let step = starts.filter({ $0 > 0 }).min(), let first = spans.first, let last = spans.last else {
            return spans
        }
        let steps = Int((last.start.timeIntervalSince(first.start) / step).rounded())
        guard steps < 10_000 else { return spans }
        var filled = (0...steps).map {
            Report.Span(start: first.start.addingTimeInterval(Double($0) * step), bytes: 0, objects: 0)
        }
        for span in spans {
            let place = Int((span.start.timeIntervalSince(first.start) / step).rounded())
            guard filled.indices.contains(place) else { continue }
            filled[place].bytes += span.bytes
            filled[place].objects += span.objects
        }
        return filled
    }
}

/// A bar chart as inline SVG, drawn in the page's colours.
private struct Chart {
    static let limit = 60
    private static let width = 960.0
    private static let height = 200.0
    private static let left = 64.0
    private static let bottom = 26.0
    private static let top = 10.0

    let spans: [Report.Span]

    var svg: String {
        """
        <svg class="chart" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" \
        aria-label="Bytes stored per span of time">
        \(grid)
        \(bars)
        \(labels)
        </svg>
        """
    }

    /// The top of the scale: a round number just above the highest bar.
    private var scale: Double {
        let highest = Double(max(1, spans.map(\.bytes).max() ?? 1))
        var power = 1.0
        while power * 10 <= highest { power *= 10 }
        return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map { $0 * power }.first { $0 >= highest } ?? highest
    }

    private var slot: Double { (Self.width - Self.left) / Double(max(spans.count, 12)) }
    private var field: Double { Self.height - Self.top - Self.bottom }

    private var grid: String {
        [0, 0.5, 1].map { part in
            let y = HTMLReport.decimal(Self.top + field * (1 - part))
            let label = Quantity.text(bytes: Int64(scale * part))
            return """
                <line x1="\(Int(Self.left))" x2="\(Int(Self.width))" y1="\(y)" y2="\(y)"/>\
                <text x="\(Int(Self.left) - 8)" y="\(y)" dy="4" text-anchor="end">\(label)</text>
                """
        }.joined(separator: "\n")
    }

    private var bars: String {
        spans.enumerated().filter { $0.element.bytes > 0 }.map { index, span in
            let height = max(2, field * Double(span.bytes) / scale)
            let x = Self.left + slot * (Double(index) + 0.12)
            let objects = Quantity.text(span.objects, "object")
            return """
                <rect x="\(HTMLReport.decimal(x))" y="\(HTMLReport.decimal(Self.top + field - height))" \
                width="\(HTMLReport.decimal(slot * 0.76))" height="\(HTMLReport.decimal(height))" rx="2">\
                <title>\(Moment.text(span.start)): \(Quantity.text(bytes: span.bytes)), \(objects)</title></rect>
                """
        }.joined(separator: "\n")
    }

    /// Up to eight labels along the bottom: days, or times where the chart covers less than two days.
    private var labels: String {
        guard let first = spans.first, let last = spans.last else { return "" }
        let isShort = last.start.timeIntervalSince(first.start) < 172_800
        let every = max(1, (spans.count + 7) / 8)
        return spans.enumerated().filter { $0.offset % every == 0 }.map { index, span in
            let x = HTMLReport.decimal(Self.left + slot * (Double(index) + 0.5))
            let label = isShort ? String(Moment.text(span.start).dropFirst(11).prefix(5)) : Moment.day(span.start)
            return "<text x=\"\(x)\" y=\"\(Int(Self.height) - 6)\" text-anchor=\"middle\">\(label)</text>"
        }.joined(separator: "\n")
    }
}

extension HTMLReport {
    /// A coordinate with one digit after the point.
    static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
