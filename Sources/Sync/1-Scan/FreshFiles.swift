package import FoundationEssentials
package import Platform
package import Records
package import Roots
import Synchronization
import Text

/// Files that were changed too recently to be taken, as a scan finds them.
package final class FreshFiles: Sendable {
    /// One such file.
    package struct File: Sendable {
        /// The root that it lies in.
        package let root: Root
        /// Below the root.
        package let path: FilePath
    }

    private let files = Mutex<[File]>([])

    /// Holds none yet.
    package init() {}

    /// In the order in which they were found.
    package var all: [File] { files.withLock { $0 } }

    /// Adds one that a scan left aside.
    package func add(_ path: FilePath, in root: Root) { files.withLock { $0.append(File(root: root, path: path)) } }
}

/// Whether a file has been left alone long enough to be taken.
package enum Freshness: Hashable, Sendable {
    /// It was not written to for `settle`: the library has it as it is now.
    case settled
    /// It was changed less than `settle` ago: to be looked at again at this date.
    case fresh(until: Date)

    /// Decides by the file's own time; one in the future was set on purpose, by a finished writer.
    init(modifiedAt: FileTime, settle: Duration, now: Date) {
        // File times may lie further apart than 64 bits of nanoseconds can count.
        let (age, isBeyond) = FileTime(now).nanoseconds.subtractingReportingOverflow(modifiedAt.nanoseconds)
        guard !isBeyond, (0..<settle.nanoseconds).contains(age) else {
            self = .settled
            return
        }
        self = .fresh(until: FileTime(nanoseconds: modifiedAt.nanoseconds + settle.nanoseconds).date)
    }
}

extension Ending {
    /// This ending; instead of `done`, a temporary one where files were still being written.
    package func unless(unfinished files: [FreshFiles.File]) -> Ending {
        guard self == .done, let first = files.first else { return self }
        let name = DisplayText.safe("\(first.root.name)/\(first.path.display)")
        let what = files.count == 1 ? "\(name) is" : "\(files.count) files (such as \(name)) are"
        return .temporary("\(what) still being written: the next sync takes what is whole by then")
    }
}
