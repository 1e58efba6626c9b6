import Catalog
import Configuration
import FoundationEssentials
import Gallery
import Platform
import Reconciling
import Records
import Rescue
import Restoring
import Roots
import Simulation

extension World {
    /// Performs `act` at its moment between two calls of the agent, or now if it has none.
    func perform(_ act: Act) async {
        if let moment = act.moment {
            let isDone = Outcome<Bool>()
            aim.value = Aim(moment: moment, deed: act.deed, isDone: isDone)
            Task {
                try? await Task.sleep(for: .seconds(history.longest))
                isDone.give(false)
            }
            let cameToIt = await isDone.get()
            // The deed may have set an aim of its own.
            if aim.value?.isDone === isDone { aim.value = nil }
            guard cameToIt else { return }
        } else {
            performAtOnce(act.deed)
        }
        await finish(act.deed)
    }

    /// The part of a deed that happens in one moment.
    ///
    /// It may come in the middle of a call that the agent makes.
    func performAtOnce(_ deed: Deed) {
        note("deed \(deed)")
        do { try Simulation.outside { try change(deed) } } catch {
            blame("the simulator itself failed at \(deed): \(error)")
        }
    }

    func change(_ deed: Deed) throws {
        switch deed {
        case .grow(let number, let content, let size, _):
            touch(number, GalleryModel.content(number, content, size: size))
            let bytes = GalleryModel.content(number, content, size: size)
            try gallery(of: number).begin(number, bytes, count: bytes.count / 2)
        case .create(let number, let content, let size), .overwrite(let number, let content, let size),
            .replace(let number, let content, let size):
            guard try makesWay(for: number) else { return }
            touch(number, GalleryModel.content(number, content, size: size))
            _ = try gallery(of: number).perform(deed)
        case .revert(let number, let steps):
            let root = gallery(of: number)
            guard root.isPresent, let bytes = root.former(number, steps: steps) else { return }
            touch(number, bytes)
            try root.revert(number, steps: steps)
        case .scramble(let content): try scramble(content)
        case .delete(let wanted):
            guard let number = gallery(of: wanted).present(wanted) else { return }
            leave(number)
            _ = try gallery(of: number).perform(.delete(number))
        case .undelete(let wanted):
            let root = gallery(of: wanted)
            guard root.isPresent, let (number, bytes) = root.deleted, root.obstacles(to: number) == [] else { return }
            touch(number, bytes)
            try root.undelete()
        case .rename(let wanted, let other):
            guard let number = gallery(of: wanted).present(wanted), gallery(of: number).canBeCalled(number, other)
            else {
                return
            }
            let (root, target) = (gallery(of: number), gallery(of: other))
            guard try makesWay(for: other, but: number) else { return }
            let kept = keptContent(of: number)
            touch(number, isReplaced: false)
            touch(other)
            if root === target {
                _ = try root.perform(.rename(number, to: other))
            } else {
                try root.move(number, to: other, in: target)
            }
            if let kept { carry(kept, to: other) }
        case .swap(let wanted, let other):
            guard let number = gallery(of: wanted).present(wanted), gallery(of: other).bytes(other) != nil,
                gallery(of: number).canBeCalled(number, other)
            else { return }
            let hidden = GalleryModel.hiding(number)
            for (name, target) in [(number, hidden), (other, number), (hidden, other)] {
                try change(.rename(name, to: target))
            }
        case .renameFolder(let number): try renameFolder(of: number)
        case .removeFolder(let number): try removeFolder(of: number)
        case .touch(let number): try gallery(of: number).touch(number)
        case .clearCache: try Directory.removeTree(at: life.value.locations().thumbnails)
        case .hide(let wanted, let moment):
            guard let number = gallery(of: wanted).present(wanted) else { return }
            let hidden = GalleryModel.hiding(number)
            try change(.rename(number, to: hidden))
            aim.value = Aim(moment: moment, deed: .rename(hidden, to: number), isDone: Outcome())
        case .copy(let wanted, let other):
            guard let number = gallery(of: wanted).present(wanted), gallery(of: number).canBeCalled(number, other)
            else {
                return
            }
            let root = gallery(of: number)
            guard gallery(of: other).obstacles(to: other)?.contains(number) == false, try makesWay(for: other) else {
                return
            }
            touch(other, root.bytes(number))
            try root.copy(number, to: other, in: gallery(of: other))
        case .unmount(let number, _, let leaving):
            let root = gallery(of: number)
            // Another disk in the root's place would rightly be taken for the root if nothing of it was stored, or if a
            // backup does not know that anything was, or at a place where the root was not before.
            let isUnknown = history.forgets || !promised.value.contains(root.root)
            try root.unmount(leaving == .otherDisk && (isUnknown || history.movesRoots) ? .empty : leaving)
        case .forbid(let number, let isFolder, _):
            if mayForbid.value { try gallery(of: number).forbid(number, isFolder: isFolder) }
        case .crash(let crash): try crashNow(crash)
        case .restart, .takeDisks, .configure, .moveRoot:
            if case .takeDisks = deed { takesDisks.value = true }
            if case .moveRoot(let number) = deed { try move(gallery(of: number)) }
            if case .configure(let configuration) = deed {
                configured.value = configuration
                if [.ignoring, .oneRoot].contains(configuration) { wasIgnoring.value = true }
            }
            // Not within a call, because the cancelling code may hold a lock there.
            let dying = life.value.task.value
            Task { dying?.cancel() }
        case .serverCrash(let crash, _):
            guard let simulation = Simulation.current else { return }
            try storage.crash(crash, &simulation.random)
        case .clock(let seconds):
            // Not ahead where requests arrive late: one that was given up just before would then seem too old to arrive.
            if seconds <= clockError.value || !history.mayBeLate { setClock(wrongBy: seconds) }
        case .command(let order): commands.value.append(order)
        case .disconnect(let seconds, let isSilent):
            outage.value = Outage(end: (Simulation.current?.now ?? .zero) + .seconds(seconds), isSilent: isSilent)
            expectEnd(after: seconds)
        case .fullDisk(let seconds): fullUntil.value = (Simulation.current?.now ?? .zero) + .seconds(seconds)
        case .serverRestart, .foreign, .vandalism, .emptyBucket, .dropBucket, .order, .neighbour, .generate: break
        }
    }

    /// The part that takes time.
    private func finish(_ deed: Deed) async {
        do {
            switch deed {
            case .grow(let number, let content, let size, let pause):
                expectEnd(after: pause)
                Task {
                    try? await Task.sleep(for: .seconds(pause))
                    // Where the half that was there is deleted, the file appears anew.
                    let root = gallery(of: number)
                    if root.isPresent, root.bytes(number) == nil {
                        touch(number, GalleryModel.content(number, content, size: size))
                    }
                    do { _ = try Simulation.outside { try root.perform(deed) } } catch {
                        blame("the simulator itself failed: \(error)")
                    }
                }
            case .unmount(let number, let seconds, _):
                expectEnd(after: seconds)
                Task {
                    try? await Task.sleep(for: .seconds(seconds))
                    do { try await mount(gallery(of: number)) } catch { blame("the simulator itself failed: \(error)") }
                }
            case .forbid(let number, _, let seconds):
                expectEnd(after: seconds)
                Task {
                    try? await Task.sleep(for: .seconds(seconds))
                    permit(gallery(of: number))
                }
            case .serverRestart(let seconds):
                await storage.stop()
                startStorage(after: seconds)
            case .serverCrash(_, let seconds): startStorage(after: seconds)
            case .neighbour(let errand):
                Task {
                    let words = await neighbour.run(errand)
                    note("neighbour \(errand): \(words)")
                }
            case .foreign(let number, let content):
                guard storage.isUp else { return }
                // Another computer may have the same file, in a folder of the same name.
                if content.isMultiple(of: 2), let file = files.first(where: { $0.key == key(number) }) {
                    // The agent finds it, and may copy it to another name without sending a byte.
                    everSent.value.insert(file.sha256)
                    return try await storage.storeForeign(file.key, file.bytes, ofFile: file.name.display)
                }
                try await storage.storeForeign(key(number), GalleryModel.content(number + 1, content, size: 100))
            case .vandalism(let number, let isPicture):
                guard storage.isUp, !storage.isForeign(key(number)) else { return }
                expectLoss(of: [key(number)])
                await storage.forget(isPicture ? ".thumbnails/512/\(key(number)).jpg" : key(number))
            case .emptyBucket: try await emptyBucket()
            case .dropBucket(let seconds): try await dropBucket(seconds: seconds)
            case .order(let order): tell(order)
            case .generate(let site): generate(at: site)
            default: break
            }
        } catch {
            note("deed failed: \(error)")
        }
    }

    /// Records that a temporary condition lasts for that time.
    func expectEnd(after seconds: Int) {
        temporaryUntil.value = max(temporaryUntil.value, (Simulation.current?.now ?? .zero) + .seconds(seconds))
    }

    private func startStorage(after seconds: Int) {
        expectEnd(after: seconds)
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            do { try Simulation.outside { try storage.start() } } catch {
                blame("the simulator itself failed: \(error)")
            }
        }
    }

    /// Brings a root's disk back, after checking what its absence did.
    func mount(_ root: GalleryModel) async throws {
        guard !root.isPresent, !root.isLost else { return }
        await expectNothingGone(root)
        try Simulation.outside { try root.mount() }
        note("mounted \(root.root)")
    }

    /// Gives all files and folders of a root their rights back.
    func permit(_ root: GalleryModel) {
        guard mayForbid.value else { return }
        do { try Simulation.outside { try root.permit() } } catch { blame("the simulator itself failed: \(error)") }
    }

    /// Ends the promises about a file whose bytes change.
    ///
    /// The object of a deleted file goes to a new file with the same bytes, as if a program had moved the file.
    ///
    /// - Parameter isReplaced: Whether the name gets other bytes; otherwise the file leaves and takes its bytes along.
    func touch(_ number: Int, _ bytes: [UInt8]? = nil, isReplaced: Bool = true) {
        touch(key(number), bytes, version: isReplaced ? keptVersion(of: number) : nil)
    }

    /// The same by the key; `version` is what must stay stored of what was there.
    func touch(_ key: String, _ bytes: [UInt8]?, version: [UInt8]? = nil) {
        touches.value += 1
        promises.value[key] = nil
        cancelled.value[key] = nil
        carried.value[key] = nil
        let since = missed.value.removeValue(forKey: key)
        // A file that an agent has durably known to be deleted keeps its object, whatever gets its name.
        if let former = legacy.value.removeValue(forKey: key), let since, let now = Simulation.current?.now,
            now - since > .seconds(5)
        {
            legacy.value["\(key) of \(former.count) bytes"] = former
        }
        if let version, version != bytes { legacy.value["\(key) of \(version.count) bytes"] = version }
        guard let bytes, legacy.value.values.contains(bytes) else { return }
        legacy.value = legacy.value.filter { $0.value != bytes }
        carry(bytes, to: key)
    }

    /// Deletes the files that are in the way of the one with that number, but for one that is to become it; returns
    /// whether nothing else is.
    private func makesWay(for number: Int, but source: Int? = nil) throws -> Bool {
        guard let obstacles = gallery(of: number).obstacles(to: number) else { return false }
        for other in obstacles where other != source { try change(.delete(other)) }
        return true
    }

    func key(_ number: Int) -> String { gallery(of: number).key(GalleryModel.name(number)) }

    /// A file is deleted; its stored content stays, unless a copy of the file takes the object over.
    func leave(_ number: Int) {
        let root = gallery(of: number)
        guard root.isPresent, let bytes = root.bytes(number) else { return }
        let isKept = isKept(number, bytes)
        promises.value[key(number)] = nil
        carried.value[key(number)] = nil
        let isUnpruned = !isPruned.value || isOrderly && prunes.value == 0
        guard isKept, isUnpruned else { return }
        if let copy = files.first(where: { $0.key != key(number) && $0.bytes == bytes }) {
            carry(bytes, to: copy.key)
        } else {
            legacy.value[key(number)] = bytes
        }
    }

    /// Gives the root another place.
    private func move(_ root: GalleryModel) throws {
        // To an agent that has not found it where it was, it is out of the configuration now.
        if life.value.agent.value?.roots[root.root]?.known.path != root.path { wasIgnoring.value = true }
        try root.move()
    }

    private func crashNow(_ crash: Deed.Crash) throws {
        guard let simulation = Simulation.current else { return }
        let dead = life.value
        guard !dead.end.isGiven else { return }
        let heir = try dead.heir(after: crash, &simulation.random)
        if crash.takesLibrary, !history.isFresh {
            try empty.copyLibrary(to: heir.locations().state)
        }
        if [.decay, .backup].contains(crash) || Deed.Crash.losses.contains(crash) {
            isDecayed.value = true
            isNewlyDecayed.value = crash == .decay
            if crash == .backup {
                Simulation.setBirth(2 + dead.number)
                // A backup may be older than the deletion of a file whose name another one has now.
                legacy.value = legacy.value.filter { !$0.key.hasSuffix(" bytes") }
            }
            cancelled.value = [:]
        }
        missed.value = [:]
        if crash == .newComputer { try loseFiles() }
        if crash == .powerCut {
            for folder in [produced, restored] { try CrashedFolder(folder).cut(&simulation.random) }
        }
        dead.isCut.value = true
        dead.end.give(.crash(heir))
    }
}
