import FoundationEssentials
import Glibc
import Platform
import Queue
import Records
import Supabase
import Sync
import Transfer
import Uploading

/// What an error means for the file that was being restored, and for the run.
enum RestoreVerdict {
    /// The same may work later; `after` is the wait that the server asked for.
    case retry(Item.Failure, after: Duration?)
    /// This file cannot be restored.
    case fails(Item.Failure)
    /// This file is not to be written.
    case refused(String)
    /// The run cannot go on: the error is to be thrown.
    case stops(any Error)

    init(_ error: any Error) {
        switch error {
        case let refusal as RestoreRefusal: self = .refused(refusal.reason)
        case let setback as RestoreSetback: self.init(setback.failure, after: nil)
        case let error as SystemError: self.init(error)
        case let error as StorageError: self.init(error)
        default: self = .stops(error)
        }
    }

    private init(_ failure: Item.Failure, after asked: Duration?) {
        self = failure.retryable ? .retry(failure, after: asked) : .fails(failure)
    }

    private init(_ error: SystemError) {
        let failure = Item.Failure(error)
        switch error.code {
        case ENOSPC, EDQUOT, EROFS, EIO: self = .stops(error)
        case ELOOP: self = .refused("a symlink lies on the way to it")
        case EEXIST, ENOTDIR, EISDIR: self = .refused("something else has the name of a directory it needs")
        case EINVAL where error.refusesName:
            self = .fails(
                Item.Failure(
                    code: failure.code, message: "The file system that it is to lie on takes no such name",
                    retryable: false))
        case ENAMETOOLONG:
            self = .fails(
                Item.Failure(
                    code: failure.code, message: "The name is too long for the file system it is to lie on",
                    retryable: false))
        default: self.init(failure, after: nil)
        }
    }

    private init(_ error: StorageError) {
        if case .noAnswer(let lost) = error, case .local(let reason) = lost.kind { self.init(reason); return }
        if let ending = Ending(stopping: error) { self = .stops(RestoreStop(ending: ending)); return }
        switch UploadOutcome(error) {
        case .retry(let failure, let asked): self = .retry(failure, after: asked)
        case .unreachable(let failure): self = .retry(failure, after: nil)
        case .refused(let failure), .blocked(_, let failure): self = .fails(failure)
        default: self = .stops(CancellationError())
        }
    }
}

extension SystemError {
    /// Whether the file system refuses this name, whatever is there.
    ///
    /// EINVAL is about the name only for calls that take one.
    var refusesName: Bool {
        switch code {
        case EINVAL: ["fstatat", "openat", "openat2", "mkdirat", "linkat", "renameat2"].contains(call)
        case ENAMETOOLONG, EILSEQ: true
        default: false
        }
    }
}

extension Ending {
    /// How the run ends at once because of that error; `nil` when it goes on.
    fileprivate init?(stopping error: StorageError) {
        if let closed = Ending(closedBy: error, at: Date()) {
            self = closed
        } else if error.isBucketMissing {
            self = .needsHuman("The bucket is not there: \(error)")
        } else {
            return nil
        }
    }
}
