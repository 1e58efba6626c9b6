import Glibc
import Platform
import Queue
import Records
import Text

/// A file that is not written: trying again would change nothing and might do harm.
struct RestoreRefusal: Error, Hashable {
    /// A clause without a capital or a full stop, such as `a different file is there`.
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A file cannot have its name there, such as one that a directory also had once: it gets a similar name.
enum RestoreConflict: Error, Hashable {
    /// A directory has the file's name.
    case directory
    /// A file has the name of a directory that the file lies in.
    case file(FilePath)
    /// The disk ignores case, and another file has the name in other letters.
    case spelling
    /// The disk takes no name with such characters.
    case name

    /// Why a file is not written whose second place is taken in the same way.
    var refusal: RestoreRefusal {
        switch self {
        case .directory: RestoreRefusal("a directory has its name")
        case .file: RestoreRefusal("something else has the name of a directory it needs")
        case .spelling:
            RestoreRefusal("the disk does not tell capitals from small letters, and another file has its name there")
        case .name: RestoreRefusal("the disk takes no such name")
        }
    }
}

/// An attempt that failed; the next one may succeed, unless the failure says otherwise.
struct RestoreSetback: Error, Hashable {
    let failure: Item.Failure

    /// All bytes came, twice, and are not the bytes that were sent.
    static let damaged = RestoreSetback(
        "damaged", "what is stored is damaged: its bytes are not those that its SHA-256 names", retryable: false)

    /// - Parameter code: What follows `restore.`, such as `size`.
    init(_ code: String, _ message: String, retryable: Bool = true) {
        failure = Item.Failure(code: .other("restore.\(code)"), message: message, retryable: retryable)
    }
}

/// Nothing can be made in the directory that is restored to.
package struct ClosedFolder: Error, Hashable, CustomStringConvertible {
    let directory: FilePath
    /// errno's text, such as `Permission denied`.
    let reason: String

    /// What to do about it, in a sentence.
    package var description: String {
        "Nothing can be written to \(directory.display) (\(reason)): let this user write there, mount its disk for "
            + "writing, or name another directory."
    }
}

extension SystemError {
    /// Whether a directory cannot be made there, because the path leads nowhere or something else has its name.
    var isNoFolder: Bool { isMissing || [EEXIST, ENOTDIR, ELOOP].contains(code) }
}

/// The disk has no room for any file: nothing more of the run would succeed.
package struct NoRoom: Error, Hashable, CustomStringConvertible {
    let directory: FilePath
    let reserve: Int64

    /// What to do about it, in a sentence.
    package var description: String {
        "The disk of \(directory.display) has no room beside the \(Quantity.text(bytes: reserve)) that are kept free: "
            + "make room there, or name another directory."
    }
}

/// The end of the whole run, because whatever follows would fail in the same way.
struct RestoreStop: Error, Hashable {
    let ending: Ending
}
