package import Platform
package import Queue
import Text

/// One directory as a walk showed it.
package struct DirectoryObservation: Sendable {
    /// Below the root; empty for the root itself.
    package let path: FilePath
    /// The files that may be assets, sorted by name.
    package let files: [Observation]
    /// Names whose facts could not be read, and why: they exist, so none of them counts as missing.
    package let unread: [[UInt8]: SystemError]
    /// Files and directories that the rules leave out, by rule.
    package let leftOut: [String: Int]
    /// Why the directory could not be listed; then nothing is concluded from `files`.
    package let failure: SystemError?
    /// Which directory it was; `nil` where it could not be opened.
    package let place: DirectoryPlace?

    /// A listing whose `files` the caller has sorted by name, as `Library.merge` requires.
    package init(
        path: FilePath, files: [Observation], unread: [[UInt8]: SystemError] = [:], leftOut: [String: Int] = [:],
        failure: SystemError? = nil, place: DirectoryPlace? = nil
    ) {
        self.unread = unread
        self.place = place
        self.path = path
        self.files = files
        self.leftOut = leftOut
        self.failure = failure
    }
}

extension DirectoryObservation {
    /// Why some of the directory's entries are unknown; `nil` where all are known.
    package var trouble: String? {
        if let failure { return Self.trouble(failure) }
        let first = unread.min { $0.key.lexicographicallyPrecedes($1.key) }
        return first.map { "\($0.value.reason): \(FilePath(bytes: $0.key).display)" }
    }

    /// The text that the library keeps of `failure`; by it a disk that is away is recognised later.
    package static func trouble(_ failure: SystemError) -> String {
        failure.isDiskAway ? failure.description : failure.reason
    }

    /// How many files and directories the rules leave out.
    package var ignored: Int { leftOut.values.reduce(0, +) }

    /// The rules with their counts, a line each, as the library keeps them; `nil` for none.
    package var encodedRules: String? {
        guard !leftOut.isEmpty else { return nil }
        let lines = leftOut.map { "\($0.value) \($0.key.split(separator: "\n").joined(separator: " "))" }
        return lines.sorted().joined(separator: "\n")
    }

    /// What `encodedRules` wrote.
    package static func rules(encoded text: String) -> [(rule: String, count: Int)] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let count = Int(parts[0]) else { return nil }
            return (String(parts[1]), count)
        }
    }
}

/// What the library knows of a file before it is observed again.
package struct KnownFile: Hashable, Sendable {
    let size: Int64
    let modifiedAt: FileTime
    /// What it was waiting for.
    package let state: Asset.State

    /// A file of `size` bytes, as it was when it was last seen.
    package init(size: Int64, modifiedAt: FileTime, state: Asset.State) {
        (self.size, self.modifiedAt, self.state) = (size, modifiedAt, state)
    }
}

/// What an observation of a file means for the library.
package enum ObservationEffect: Hashable, Sendable {
    /// As the library knows it: nothing is to be done.
    case none
    /// New or changed: to be read.
    case seen
    /// It was not there, and is again: to be read.
    case returned
    /// Unchanged, but worth another try.
    case again

    /// Decides for a file that is `known` and now looks like `observation`.
    package init(of observation: Observation, known: KnownFile?) {
        guard let known else {
            self = .seen
            return
        }
        let isSame = known.size == observation.size && known.modifiedAt == observation.modifiedAt
        switch known.state {
        case .excluded: self = .none
        case .gone, .remoteOnly: self = .returned
        case .unreadable where isSame: self = .again
        case .seen, .identifying, .queued, .stored, .failed, .unreadable, .indexed, .ignored, .held:
            self = isSame ? .none : .seen
        }
    }
}
