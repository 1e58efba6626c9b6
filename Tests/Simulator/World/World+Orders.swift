import Catalog
import Gallery
import Platform
import Queue
import Reconciling
import Records
import Rescue
import Restoring
import Simulation

/// What the user wants done.
extension World {
    /// Tells it to the running agent.
    func tell(_ order: Deed.Order) {
        let life = life.value
        guard let agent = life.agent.value, isKnown(order, in: life) else { return }
        let doomed = expect(order)
        life.orders.value.append(
            life.spawn { [self] in await carryOut(order, of: doomed, by: agent, in: life) })
    }

    /// Has it done by the agent of a process of its own, and waits until it is done.
    func carryOut(_ command: Deed.Order, by agent: Agent) async {
        note("command \(command)")
        guard isKnown(command, in: life.value) else { return }
        await carryOut(command, of: expect(command), by: agent, in: life.value)
    }

    /// Whether it is known what the order does in that life.
    private func isKnown(_ order: Deed.Order, in life: Life) -> Bool {
        !life.isElsewhere.value || !Deed.Order.ofDestination.contains(order)
    }

    /// Ends the promises that it may break; returns the key of the one deleted file that it is about, if any.
    private func expect(_ order: Deed.Order) -> String? {
        if Deed.Order.sending.contains(order) { promises.value = [:] }
        let doomed = order == .pruneFile ? legacy.value.keys.sorted().first { !$0.hasSuffix(" bytes") } : nil
        // From now on, because its deletions may be on their way for a long time.
        if Deed.Order.pruning.contains(order) {
            isPruned.value = true
            prunes.value += 1
            if order == .pruneFile {
                legacy.value = legacy.value.filter { $0.key != doomed && !$0.key.hasPrefix("\(doomed ?? "") of ") }
            } else {
                (legacy.value, carried.value) = ([:], [:])
            }
        }
        return doomed
    }

    /// Has `agent` do it, whose `life` may end before this begins.
    private func carryOut(_ order: Deed.Order, of key: String?, by agent: Agent, in life: Life) async {
        do {
            let words = try await carriedOut(order, of: key, by: agent, in: life)
            note("order \(order): \(words)")
        } catch {
            note("order \(order) failed: \(error)")
        }
        if Deed.Order.pruning.contains(order) { prunes.value -= 1 }
    }

    /// Orders a video; the registry of jobs later tells what happened.
    func generate(at site: Int) {
        guard let agent = life.value.agent.value, let order = providers?.order(at: site) else { return }
        life.value.orders.value.append(
            life.value.spawn { [self] in
                do {
                    let (job, ending) = try await agent.generate(order)
                    note("generated \(job.id.rawValue): \(ending)")
                } catch {
                    note("generate failed: \(error)")
                }
            })
    }

    private func carriedOut(
        _ order: Deed.Order, of key: String?, by agent: Agent, in life: Life
    ) async throws -> String {
        // To an agent that does not know the new place of a root, that is another directory.
        let hasMoved = life.places.value != galleries.map(\.path)
        if hasMoved, Deed.Order.placing.contains(order) { return "nothing" }
        switch order {
        case .sync: return "\(try await agent.sync([]))"
        case .syncFolder:
            guard let file = files.last else { return "nothing" }
            return "\(try await agent.sync([file.root.path.appending(file.name).parent]))"
        case .pause: try await agent.pause()
        case .resume: try await agent.resume()
        case .verify, .repair, .repairDeep:
            var verification = VerifyOrder()
            verification.isRepairing = order != .verify
            if order == .repairDeep { verification.percent = 100 }
            let (result, ending) = try await agent.verify(verification)
            if keepsAll {
                for finding in result.findings where finding.problem == .missing || finding.problem == .different {
                    blame("\(finding.key) counts as \(finding.problem.rawValue), and nothing was lost")
                }
            }
            return "\(ending)"
        case .prune: return "\(try await agent.prune(deleting: true).ending)"
        case .pruneFile:
            guard let file = key.flatMap(place(ofKey:)) else { return "nothing" }
            return "\(try await agent.prune(deleting: true, of: [file]).ending)"
        case .pruneRoot: return "\(try await agent.prune(deleting: true, root: galleries.last?.root).ending)"
        case .reupload: return try await reuploaded(.failed, by: agent, in: life)
        case .reuploadMissing: return try await reuploaded(.missing, by: agent, in: life)
        case .reuploadAll: return try await reuploaded(.all, by: agent, in: life)
        case .reuploadForced: return try await reuploaded(.all, isForced: true, by: agent, in: life)
        case .reuploadFile:
            guard let file = files.last else { return "nothing" }
            let path = file.root.path.appending(file.name)
            return try await reuploaded(.all, isForced: true, of: [path], by: agent, in: life)
        case .cancel:
            life.cancelling.value += 1
            defer { life.cancelling.value -= 1 }
            let before = touches.value
            let count = try await agent.cancel(galleries.map(\.path))
            // A process that has ended meanwhile does not report that the order was carried out; and a file that was
            // written meanwhile may be another than the one left out.
            if !life.isCut.value, touches.value == before { await noteCancelled(agent) }
            return "\(count)"
        case .bringBack: return try await broughtBack()
        case .restore:
            return "\(try await restored(over: line(of: life)).restored) restored"
        }
        return "done"
    }

    private func reuploaded(
        _ which: Selection.Which, isForced: Bool = false, of paths: [FilePath] = [], by agent: Agent, in life: Life
    ) async throws -> String {
        var selection = Selection()
        (selection.which, selection.isForced, selection.paths) = (which, isForced, paths)
        let (before, start) = (touches.value, Simulation.current?.now ?? .zero)
        let wanted = isForced ? await stored(paths, by: agent) : []
        let (result, ending) = try await agent.reupload(selection)
        if ending == .done, !life.isCut.value, touches.value == before {
            // Not of a file that was deleted or left out meanwhile, or whose disk is away.
            let done = Set((wanted.isEmpty ? [] : await stored(paths, by: agent)).map(\.key))
            for file in wanted where done.contains(file.key) && !isTaken(file, since: start) {
                blame("\(file.key) was asked for again, and its bytes were not sent")
            }
        }
        if which == .missing, result.missingObjects > 0, keepsAll {
            blame("\(result.missingObjects) objects count as missing, and nothing was lost")
        }
        return "\(result.files), \(ending)"
    }

    /// Whether the storage took the bytes of `file` under its own key or the one beside it.
    private func isTaken(_ file: UserFile, since start: Duration) -> Bool {
        [file.key, ObjectKey(text: file.key).beside(file.sha256).text].contains { key in
            takenAt.value[key]?[file.sha256] ?? .zero >= start
        }
    }

    /// The files at `paths`, or all files, that the agent counts as stored under their own keys.
    private func stored(_ paths: [FilePath], by agent: Agent) async -> [UserFile] {
        var found: [UserFile] = []
        for file in files where file.root.isPresent && !storage.isForeign(file.key) {
            guard paths.isEmpty || paths.contains(file.root.path.appending(file.name)),
                let record = try? await agent.library.fileRecord(root: file.root.root, path: file.name),
                record.asset.state == .stored, record.asset.sha256 == file.sha256
            else { continue }
            found.append(file)
        }
        return found
    }
}
