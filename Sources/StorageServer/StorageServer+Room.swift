import Database
import ObjectStore
import Platform

extension StorageServer {
    /// Whether a failure, at the start or with a request, means that the disk of this server's folder is full.
    package static func isDiskFull(_ failure: any Error) -> Bool {
        switch failure {
        case let error as SystemError: error.isDiskFull
        case let error as DatabaseError: error.isDiskFull
        default: false
        }
    }
}

extension ProtocolRefusal {
    /// The refusal that answers for a failure inside this server.
    static func of(_ failure: any Error) -> ProtocolRefusal {
        if StorageServer.isDiskFull(failure) { return .diskFull }
        // A disk with errors may be remounted read-only while it is in use.
        let isReadOnly =
            (failure as? SystemError)?.isReadOnly == true || (failure as? DatabaseError)?.isReadOnly == true
        return isReadOnly || failure is ReadOnlyFolder ? .readOnly : .internal
    }
}
