package import Cleansing
package import Configuration
import Gallery
package import Text

extension Console {
    /// A log that is written to standard error, without secrets.
    package func log(_ settings: Settings.Log, cleanser: Cleanser) -> Log {
        let text = LogText(
            format: settings.format, paint: settings.format == .json ? .none : notePaint, cleanser: cleanser,
            isForJournal: isJournal)
        return Log(level: settings.level) { line in self.note(text.line(line)) }
    }
}
