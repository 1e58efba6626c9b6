package import Platform
package import Restoring
import Synchronization

/// A real folder on which one call fails, and perhaps all later ones, to be run in a loop over all calls.
package final class FailingFolder: ForwardingFolder {
    private let local: LocalRestoreFolder
    private let callsBeforeFailure: Int
    private let code: Int32
    private let staysBroken: Bool
    private let names = Mutex<[String]>([])

    package init(
        _ path: FilePath, callsBeforeFailure: Int, code: Int32, staysBroken: Bool = true, locksParts: Bool = true
    ) throws {
        local = LocalRestoreFolder(try Directory(path), locksParts: locksParts)
        self.callsBeforeFailure = callsBeforeFailure
        self.code = code
        self.staysBroken = staysBroken
    }

    /// Whether a call failed by now.
    package var hasFailed: Bool { names.withLock { $0.count > callsBeforeFailure } }

    /// The call that failed first.
    package var failedCall: String {
        names.withLock { $0.count > callsBeforeFailure ? $0[callsBeforeFailure] : "none" }
    }

    package func folder(for call: String) throws(SystemError) -> any RestoreFolder {
        let number = names.withLock { names in
            names.append(call)
            return names.count - 1
        }
        guard number == callsBeforeFailure || staysBroken && number > callsBeforeFailure else { return local }
        throw SystemError(call: call, code: code)
    }
}
