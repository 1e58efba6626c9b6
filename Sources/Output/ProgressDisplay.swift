package import FoundationEssentials
import Gallery
package import Sync
import Text

/// Shows progress on the console: a live display on a terminal, else one line per interval.
package struct ProgressDisplay {
    private let console: Console
    private let columns: () -> Int
    /// Seconds between two lines where there is no live display.
    private let interval: Double
    private var pause: DatedWait?

    /// - Parameter columns: Returns the terminal's width; called for every frame, since it may change.
    package init(_ console: Console, interval: Duration = .seconds(30), columns: @escaping () -> Int) {
        self.console = console
        self.columns = columns
        self.interval = interval / .seconds(1)
    }

    /// Shows `progress`; to be called a few times a second.
    package mutating func show(_ progress: Progress, at now: Date) {
        // A line of zeros would say nothing.
        guard console.isLive || progress.counts.isEmpty || progress.counts.contains(where: { $0.done > 0 }) else {
            return
        }
        if console.isLive {
            let lines = ProgressLines(progress: progress, now: now, paint: console.notePaint)
            // One column less, because some terminals wrap when the last one is written.
            console.show(lines.lines(width: columns() - 1))
        } else if pause?.isOver(at: now) ?? true {
            console.note(ProgressLines(progress: progress, now: now).summary)
            pause = DatedWait(from: now, seconds: interval)
        }
    }

    /// Removes the live display, so that later output stands alone.
    package func end() { console.show([]) }
}
