import Database
import ObjectStore
import Platform

extension StorageServer {
    /// Whether a failure of this server, at its start or with a request, is that the disk of its folder is full.
    package static func isDiskFull(_ failure: any Error) -> Bool {
        switch failure {
        case let error as SystemError: error.isDiskFull
        case let error as DatabaseError: error.isDiskFull
        default: false
        }
    }
}

extension ProtocolRefusal {
    /// What is said of a failure inside this server.
    static func of(_ failure: any Error) -> ProtocolRefusal {
        StorageServer.isDiskFull(failure) ? .diskFull : .internal
    }
}
