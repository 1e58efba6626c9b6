package import Platform
package import Queue
package import Reporting
package import Text

/// What the page needs from the program that serves it.
package protocol PageHost: Sendable {
    /// The report as `status` shows it.
    func report(_ depth: Reporter.Depth) async throws -> Report

    /// Why the file at the absolute `path` is as it is, a sentence for each decision.
    func reasons(for path: FilePath) async throws -> [String]

    /// `count` bytes of a stored object, fewer at its end; `nil` if this program does not ask storage.
    func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]?

    /// Carries out what the user asked for; the sentence says what was done. Throws `PageRefusal`.
    func perform(_ action: PageAction) async throws -> PageActionResult

    /// Whether an action can be asked for here.
    func ability(of action: PageAction.Name) async -> PageAbility

    /// The work that actions have begun and not yet ended, or that ended recently; the oldest first.
    var works: [PageWork] { get }

    /// The last lines of the log that follow the line with this number.
    func log(after number: Int) -> [LogTail.Entry]
}
