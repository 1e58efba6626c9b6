package import Platform
package import Queue
package import Reporting

/// What the page needs of the program that serves it.
package protocol PageHost: Sendable {
    /// The report as `status` shows it.
    func report(_ depth: Reporter.Depth) async throws -> Report

    /// Why the file at the absolute `path` is as it is, a sentence for each decision.
    func reasons(for path: FilePath) async throws -> [String]

    /// `count` bytes of a stored object, fewer at its end; `nil` where storage is not asked from here.
    func stored(_ key: ObjectKey, at offset: Int64, count: Int) async throws -> [UInt8]?

    /// Carries out what the user asked for; the sentence says what was done. Throws `PageRefusal`.
    func perform(_ action: PageAction) async throws -> PageActionResult
}

/// What can be asked for in the page.
package enum PageAction: Hashable, Sendable {
    /// Send these files again, by their absolute paths.
    case retry([FilePath])
    /// Send nothing more, for so many minutes or until resumed.
    case pause(minutes: Int?)
    /// Send again.
    case resume
    /// Look at all roots now.
    case sync
    /// Send what the brake holds.
    case releaseBrake
}

/// What an action did.
package struct PageActionResult: Hashable, Sendable {
    /// Files that it was about; 0 where it is about none.
    package let count: Int
    /// What was done, one sentence.
    package let sentence: String

    /// The result of an action that was carried out.
    package init(count: Int = 0, sentence: String) {
        self.count = count
        self.sentence = sentence
    }
}
