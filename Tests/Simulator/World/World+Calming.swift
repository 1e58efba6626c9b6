import Configuration
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Simulation

/// The end of everything that goes wrong, and what the user does then.
extension World {
    /// Ends everything that is wrong outside.
    func calmDown() async {
        note("calm")
        if storage.isUp { await expectRoom() }
        await remakeBucket()
        isCalm.value = true
        cancelled.value = [:]
        (aim.value, outage.value) = (nil, nil)
        Simulation.setInotify(history.hasEvents)
        Simulation.current?.slowness = History.usualSlowness
        Simulation.current?.stalled = nil
        do {
            for root in galleries where root.mayReturn { try await mount(root) }
            if history.mayBeLate {
                expectEnd(after: RoughLine.longest)
            }
            // After this, every temporary condition is over.
            try? await Task.sleep(
                for: .seconds(1) + max(.zero, temporaryUntil.value - (Simulation.current?.now ?? .zero)))
            setClock(wrongBy: 0)
            try storage.start()
            await remakeBucket()
            for root in galleries {
                try await mount(root)
                permit(root)
            }
            await expectGoingOn()
            if history.budget != nil || configured.value != .usual {
                // The agent reads its configuration only when it starts.
                configured.value = .usual
                life.value.task.value?.cancel()
            } else if let agent = life.value.agent.value {
                // The user waits for the end of that order first.
                for _ in 0..<720 where life.value.cancelling.value > 0 { try? await Task.sleep(for: .seconds(5)) }
                do {
                    try await tidyUp(agent)
                } catch {
                    // If the agent ends meanwhile, the next one tidies up.
                    note("tidying up: \(error)")
                    isUntidy.value = true
                }
            }
            calmRequests.value = requests.value
            orderVideos()
        } catch {
            note("calming: \(error)")
        }
    }

    /// Sets the clock of the agent's computer.
    func setClock(wrongBy seconds: Int) {
        clockError.value = seconds
        Simulation.setClockError(seconds)
    }

    /// Makes the bucket that the user has deleted, or could not make anew while the storage was down.
    private func remakeBucket() async {
        // With a permanent key the agent makes it.
        if history.tokenLifetime != nil { await storage.makeBucket() }
    }

    /// Orders the agent to send the files it held back, because the user was the one who changed them.
    func agree(_ agent: Agent) async throws {
        var selection = Selection()
        selection.which = .changed
        _ = try await agent.beginReupload(selection)
    }

    /// Does what a user would, once nothing goes wrong, about the orders and the losses before.
    func tidyUp(_ agent: Agent) async throws {
        try await agent.resume()
        try await takeBackCancelled(agent)
        if isVandalized.value {
            // What is being sent is not looked at, and a listing from before the loss may prove it after that.
            for _ in 0..<720 {
                guard await agent.queue.all().contains(where: { $0.status == .uploading }) else { break }
                try await Task.sleep(for: .seconds(5))
            }
            var selection = Selection()
            selection.which = .missing
            _ = try await agent.beginReupload(selection)
        }
    }

    /// Orders the agent to send what the user had taken out of the queue.
    func takeBackCancelled(_ agent: Agent) async throws {
        guard history.has([.cancel]) else { return }
        for gallery in galleries {
            var selection = Selection()
            (selection.which, selection.paths) = (.all, [gallery.path])
            do {
                _ = try await agent.beginReupload(selection)
            } catch let refusal as Refusal {
                // A root that was never scanned contains nothing cancelled.
                guard case .usage = refusal.ending else { throw refusal }
            }
        }
    }
}
