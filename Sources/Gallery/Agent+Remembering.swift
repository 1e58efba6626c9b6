import Catalog
import Cleansing
import Configuration
import Database
package import FoundationEssentials
import Platform
import Queue
package import Records
import Restoring
import Transfer

extension Agent {
    /// Carries out a pass or watch and keeps in the library how it goes; a cancellation counts as an interruption.
    ///
    /// Other errors are remembered by `rememberFailure`, because a failing loop only cancels `body`. A name that is
    /// wrong in this call alone says nothing about the profile, and leaves the former run remembered.
    ///
    /// - Parameter paths: The directories that the call names.
    func remembering(
        _ command: LastRun.Command, of paths: [FilePath], _ body: () async throws -> Ending
    ) async throws -> Ending {
        if setup.isOfCall(Setting.destinationKeys) { try await refuseOtherDestination() }
        let former = try await library.lastRun()
        let run = LastRun(command, began: setup.clock())
        func ended(_ ending: Ending) -> LastRun? {
            let isMistyped = ending.kind == .usage && (!paths.isEmpty || setup.isOfCall(["roots"]))
            return isMistyped ? former : run.ended(ending, at: setup.clock())
        }
        try await library.remember(run)
        do {
            let ending = try await body()
            try await library.remember(ended(ending))
            return ending
        } catch let refusal as Refusal {
            try await library.remember(ended(refusal.ending))
            throw refusal
        } catch let stop as CancellationError {
            try await library.remember(run.ended(.interrupted, at: setup.clock()))
            throw stop
        }
    }

    /// Remembers the error that ended the run which this agent began.
    func rememberFailure(_ error: any Error) async {
        guard !(error is CancellationError), !(error is Refusal) else { return }
        // If the disk takes nothing more, the run stays remembered as one that was cut off.
        guard let run = try? await library.lastRun(), run.began >= startedAt else { return }
        try? await library.remember(run.ended(error, at: setup.clock()))
    }
}

extension LastRun {
    fileprivate func ended(_ ending: Ending, at now: Date) -> LastRun {
        let isAbsence = if case .absent = ending { true } else { false }
        return ended(
            ending.kind, Cleanser().text(ending.description), awaitsDisk: isAbsence ? true : nil, at: now)
    }

    /// The run after it failed.
    package func ended(_ error: any Error, at now: Date) -> LastRun {
        ended(Ending.Kind(error), Cleanser().text("\(error)"), at: now)
    }
}

extension Ending.Kind {
    /// How an error ends the command that it is thrown from.
    package init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal.ending.kind
        case is NewerRecords, is Library.NewerLibrary: self = .needsHuman
        case is SystemError, is NoRoom, is ClosedFolder, is StateGone: self = .disk
        case let error as DatabaseError where error.isOfSystem: self = .disk
        case is TransferError: self = .temporary
        default: self = .internalError
        }
    }
}
