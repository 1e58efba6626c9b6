import Cleansing
import Gallery
package import Platform
import Synchronization
package import Text

/// Standard output and standard error; the only place that writes to either.
///
/// Results go to standard output and everything else to standard error. Lines are written whole,
/// and a live display is erased before and redrawn after them.
package final class Console: Sendable {
    private let results: OpenFile
    private let notes: OpenFile
    /// Lines of the live display that are on the screen now.
    private let live = Mutex<[String]>([])
    /// Colours of results.
    package let paint: Paint
    /// Colours of everything else.
    package let notePaint: Paint
    /// Whether standard error can show a live display.
    let isLive: Bool
    /// Whether standard error is systemd's journal.
    let isJournal: Bool
    /// Whether standard output can be redrawn in place.
    package let canRedraw: Bool
    private let columns: @Sendable (Stream) -> Int?

    /// A console over two open files.
    ///
    /// - Parameter columns: The width of the terminal that shows a stream now; `nil` where none does.
    package init(
        results: OpenFile, notes: OpenFile, capabilities: Capabilities,
        columns: @escaping @Sendable (Stream) -> Int? = { _ in nil }
    ) {
        self.columns = columns
        self.results = results
        self.notes = notes
        paint = Paint(isOn: capabilities.hasResultColours)
        notePaint = Paint(isOn: capabilities.hasNoteColours)
        isLive = capabilities.isLive
        isJournal = capabilities.isJournal
        canRedraw = capabilities.canRedraw
    }

    /// One of the two, by its descriptor.
    package enum Stream: Int32, Sendable {
        case results = 1, notes = 2
    }

    /// What the two streams can display.
    package struct Capabilities: Hashable, Sendable {
        var hasResultColours = false
        var hasNoteColours = false
        var isLive = false
        /// Whether notes go to the journal.
        package var isJournal = false
        var canRedraw = false
    }
}

extension Console.Capabilities {
    /// - Parameters:
    ///   - resultsAreTerminal: Whether standard output is a terminal.
    ///   - notesAreTerminal: Whether standard error is a terminal.
    package init(
        _ choice: ColourChoice, environment: [String: String], resultsAreTerminal: Bool, notesAreTerminal: Bool
    ) {
        let isDumb = environment["TERM"] == "dumb" || environment["TERM"] == nil
        let isPlain = isDumb || environment["NO_COLOR"]?.isEmpty == false
        hasResultColours = choice == .always || choice == .auto && resultsAreTerminal && !isPlain
        hasNoteColours = choice == .always || choice == .auto && notesAreTerminal && !isPlain
        isLive = notesAreTerminal && !isDumb
        canRedraw = resultsAreTerminal && !isDumb
    }
}

extension Console {
    /// Writes lines of a result.
    package func result(_ lines: [String]) throws(SystemError) {
        try write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Writes lines of a result that are no table and for no program; on a terminal broken at spaces.
    ///
    /// - Parameter indentation: The width of the labels that the lines begin with, below which nothing is written.
    package func result(prose lines: [String], indentation: Int = 0) throws(SystemError) {
        try result(lines.flatMap { folded($0, on: .results, indentation: indentation) })
    }

    /// Writes a JSON document or line, with characters escaped that a terminal would interpret.
    package func result(json: [UInt8]) throws(SystemError) { try write(JSONText.inert(json)) }

    /// Throws if the reader of the results has ended, as a write would.
    package func checkReader() throws(SystemError) { try results.checkReader() }

    /// Replaces the content of the screen by the lines of a result, as many as fit.
    package func redraw(_ lines: [String], rows: Int) throws(SystemError) {
        try write(Array(LiveDisplay.screen(lines, rows: rows).utf8))
    }

    private func write(_ bytes: [UInt8]) throws(SystemError) {
        try live.withLock { shown throws(SystemError) in
            if !shown.isEmpty { try notes.append(Array(LiveDisplay.erasing(shown.count).utf8)) }
            try results.append(bytes)
            if !shown.isEmpty { try notes.append(Array(LiveDisplay.drawing(shown).utf8)) }
        }
    }

    /// Writes lines that are not part of a result: events, questions, errors; on a terminal broken at spaces.
    ///
    /// A failure to write is not reported, since there is no other place to report it.
    package func note(_ lines: [String]) {
        live.withLock { shown in
            let text =
                LiveDisplay.erasing(shown.count) + lines.flatMap { folded($0, on: .notes) }.map { $0 + "\n" }.joined()
                + LiveDisplay.drawing(shown)
            try? notes.append(Array(text.utf8))
        }
    }

    /// The lines that show `line` whole on a terminal; a line for programs stays one.
    ///
    /// The letters of colours count, so that a line which has some is broken early.
    private func folded(_ line: String, on stream: Stream, indentation: Int = 0) -> [String] {
        guard let columns = columns(stream), !line.hasPrefix("{") else { return [line] }
        let label = String(line.prefix(indentation))
        let lines = DisplayText.wrapped(
            String(line.dropFirst(indentation)), columns: columns - indentation, keepsWords: true)
        return [label + lines[0]] + lines.dropFirst().map { String(repeating: " ", count: indentation) + $0 }
    }

    /// Writes one line that is not part of a result.
    package func note(_ line: String) { note([line]) }

    /// Writes a question without a line end.
    package func ask(_ question: String) { try? notes.append(Array(question.utf8)) }

    /// Replaces the live display by `lines`; without lines it is removed.
    func show(_ lines: [String]) {
        live.withLock { shown in
            guard shown != lines else { return }
            try? notes.append(Array((LiveDisplay.erasing(shown.count) + LiveDisplay.drawing(lines)).utf8))
            shown = lines
        }
    }
}

/// The escape sequences that redraw a few lines in place.
enum LiveDisplay {
    /// Erases `count` lines and leaves the cursor where the first one began.
    static func erasing(_ count: Int) -> String {
        count > 0 ? "\u{1B}[\(count)A\r\u{1B}[J" : ""
    }

    /// Lines over the whole screen; the rest of each line and of the screen is erased without flicker.
    static func screen(_ lines: [String], rows: Int) -> String {
        // The last row is for the cursor.
        let room = max(1, rows - 1)
        let more = lines.count > room ? ["… \(lines.count - room + 1) more lines"] : []
        let shown = lines.prefix(more.isEmpty ? room : room - 1) + more
        return "\u{1B}[H" + shown.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// Lines that do not wrap, however narrow the terminal became meanwhile.
    static func drawing(_ lines: [String]) -> String {
        lines.isEmpty ? "" : "\u{1B}[?7l" + lines.map { $0 + "\n" }.joined() + "\u{1B}[?7h"
    }
}
