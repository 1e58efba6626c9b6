import Simulation

/// A deed that waits for its moment.
struct Aim {
    var moment: Act.Moment
    let deed: Deed
    let isDone: Outcome<Bool>
}

/// Events at the moments when a program interacts with its surroundings.
extension World {
    /// Performs the deed that waits for this moment.
    func reach(_ seam: Seam) {
        guard var aimed = aim.value, aimed.moment.seam == seam || aimed.moment.seam == .any else { return }
        guard aimed.moment.passing == 0 else {
            aimed.moment.passing -= 1
            aim.value = aimed
            return
        }
        aim.value = nil
        note("at \(seam)")
        performAtOnce(aimed.deed)
        aimed.isDone.give(true)
    }

    /// A call for the queue's directory; returns the error that it fails with, or 0.
    func meet(_ seam: Seam) -> Int32 {
        guard !isCalm.value else { return 0 }
        reach(seam)
        return stateError(seam == .queueSynchronize || seam == .queueDirectory)
    }

    /// A call for a real file; returns the error that it fails with, or 0.
    func meet(_ call: FileCall) -> Int32 {
        // A dead agent that has yet to notice its end must not touch files that the next one uses.
        if call.domain == .gallery, SimulatedThreads.areDead { return 5 }  // EIO
        if call.domain == .gallery, call.kind == .list { listings.value += 1 }
        guard !isCalm.value else { return 0 }
        if let seam = call.seam { reach(seam) }
        switch call.domain {
        case .gallery: return galleryError(call.kind)
        case .state where [.write, .synchronize, .rename].contains(call.kind):
            return stateError(call.kind == .synchronize)
        case .events: return eventsError()
        case .state, .storage: return 0
        }
    }

    private func eventsError() -> Int32 {
        guard let simulation = Simulation.current, simulation.random.happens(probability(.lostEvents)) else { return 0 }
        note("events are lost")
        return 75  // EOVERFLOW
    }

    private func galleryError(_ kind: FileCall.Kind) -> Int32 {
        guard let simulation = Simulation.current, simulation.random.happens(probability(.galleryCall)) else {
            return 0
        }
        // EIO, EACCES, ESTALE; an open file is never refused with EACCES.
        let codes: [Int32] = kind == .read ? [5, 116] : [5, 13, 116]
        let code = codes.randomElement(using: &simulation.random) ?? 5
        note("gallery: \(kind) fails with \(code)")
        return code
    }

    private func stateError(_ isSynchronizing: Bool) -> Int32 {
        guard let simulation = Simulation.current else { return 0 }
        if simulation.now < fullUntil.value, !isSynchronizing { return 28 }  // ENOSPC
        guard simulation.random.happens(probability(.diskCall)) else { return 0 }
        note("a call for the state fails")
        return isSynchronizing ? 5 : 28  // EIO, ENOSPC
    }
}

extension FileCall {
    /// The kind of moment that this call is in a history; `nil` if histories never aim at it.
    fileprivate var seam: Seam? {
        switch (domain, kind) {
        case (.gallery, .list): .galleryList
        case (.gallery, .look): .galleryLook
        case (.gallery, .open): .galleryOpen
        case (.gallery, .read): .galleryRead
        case (.gallery, _): nil
        case (.state, .write): .stateWrite
        case (.state, .synchronize): .stateSynchronize
        case (.state, .rename): .stateRename
        case (.storage, .write): .storageWrite
        case (.storage, .synchronize): .storageSynchronize
        case (.storage, .rename): .storageRename
        case (.state, _), (.storage, _), (.events, _): nil
        }
    }
}
