import Access
import Catalog
import Configuration
import FoundationEssentials
import Gallery
import MediaModel
import Narration
import Platform
import Providers
import Queue
import Records
import Rescue
import Simulation
import Supabase
import Sync
import Text
import Transfer

extension World {
    /// Runs one life after another, each on what the previous one left.
    func live() async {
        while true {
            let now = life.value
            note("life \(now.number) begins")
            begin(now)
            let end = await now.end.get()
            bury(now)
            if isOver.value { return }
            do {
                try await succeed(now, end)
            } catch {
                return blame("the simulator itself failed: \(error)")
            }
        }
    }

    private func succeed(_ dead: Life, _ end: Life.End) async throws {
        guard let simulation = Simulation.current else { return }
        let pause: Int
        switch end {
        case .crash(let heir):
            life.value = heir
            pause = Int.random(in: 0...history.longest / 2, using: &simulation.random)
        case .byItself:
            life.value = try Simulation.outside { try dead.heir(after: .kill, &simulation.random) }
            // Once calm, passes are rare, because waiting for hours must not take a pass each minute.
            pause = history.isWatching ? 30 : isCalm.value ? max(600, history.interval) : history.interval
        }
        try? await Task.sleep(for: .seconds(pause))
        try await restoreLost()
    }

    private func begin(_ life: Life) {
        let wasCalm = isCalm.value
        do {
            if history.hasBackup { try Simulation.outside { try life.keepBackup() } }
        } catch {
            return blame("the simulator itself failed: \(error)")
        }
        life.task.value = life.spawn { [self] in
            do {
                try await inhabit(life)
                note("life \(life.number) ended")
            } catch {
                note("life \(life.number) failed: \(error)")
                // A life also fails if its disk died before it began, or if the server is still starting.
                if !(error is CancellationError), !Task.isCancelled, wasCalm, !life.isCut.value, storage.isUp,
                    !wasSignedOut(life), !life.isRefused.value
                {
                    blame("an agent failed although nothing was wrong: \(error)")
                }
            }
            // Orders that users still wait for end with the process.
            life.isCut.value = true
            for order in life.orders.value { order.cancel() }
            life.end.give(.byItself)
        }
    }

    /// Lets a dead life end: its disk is no longer the one in use, and none of its requests leave.
    private func bury(_ life: Life) {
        ghosts.value += 1
        missed.value = [:]
        life.task.value?.cancel()
        for order in life.orders.value { order.cancel() }
        Task {
            await life.task.value?.value
            life.agent.value = nil
            life.task.value = nil
            ghosts.value -= 1
            try? Simulation.outside { () throws(SystemError) in
                try Directory.removeTree(at: life.folder)
                try Directory.removeTree(at: life.backup)
            }
        }
    }

    /// Does what `main` does: takes the lock, makes the agent, runs it.
    private func inhabit(_ life: Life) async throws {
        let locations = try life.locations()
        guard case .taken(let lock) = try StateLock.acquire(locations) else {
            return blame("the lock of a dead agent is held")
        }
        try await chooseDestination(of: life, locations)
        if takesDisks.value { try await takeDisks(locations) }
        let line = line(of: life)
        let session = life.isElsewhere.value ? nil : try await session(of: life, over: line)
        let agent = try await Agent(setup(of: life, locations, line, session), lock: lock)
        life.agent.value = agent
        if !isDecayed.value {
            for warning in agent.queue.warnings { blame("unreadable though nothing decayed: \(warning)") }
        }
        if isNewlyDecayed.value, agent.queue.warnings.isEmpty { isForgetful.value = true }
        isNewlyDecayed.value = false
        if !life.isElsewhere.value { await promiseReceipts(agent) }
        // Earlier orders and losses must be tidied up by whichever agent runs next.
        let isCalm = isCalm.value
        if !isCalm, let command = commands.value.first {
            commands.value.removeFirst()
            let mode: Agent.Mode = Deed.Order.steering.contains(command) ? .steering : .pass
            return try await agent.run(mode, namesNoRoot: !Deed.Order.naming.contains(command)) { agent in
                await self.carryOut(command, by: agent)
            }
        }
        if history.isWatching {
            try await agent.run(.watch, namesNoRoot: true) { agent in
                if isCalm { try await self.tidyUp(agent) }
                try await agent.keepSafe([])
            }
        } else {
            let ending = try await agent.run(.pass, namesNoRoot: true) { agent in
                if isCalm { try await self.tidyUp(agent) }
                return try await agent.sync([])
            }
            note("pass: \(ending)")
            if isCalm, case .held = ending { try await agent.run(.steering) { try await self.agree($0) } }
        }
    }

    /// Has the state store where the settings say, as `init --change-destination` does.
    private func chooseDestination(of life: Life, _ locations: Locations) async throws {
        let isElsewhere = configured.value == .elsewhere
        life.isElsewhere.value = isElsewhere
        // A backup of the state may be for either.
        let known = try await Library.existing(at: locations.library)?.fact(Library.destinationFact)
        if configured.value == .slip, !wasElsewhere.value, known == storage.destination.name {
            life.isElsewhere.value = true
            life.isRefused.value = true
            return
        }
        let name = (isElsewhere ? elsewhere : storage)?.destination.name
        guard wasElsewhere.value != isElsewhere || known != nil && known != name else { return }
        let former = try await FormerDestination.forget(in: locations, disk: { life.disk($0) }, at: Date())
        note("leaves \(former.name ?? "no destination"), \(former.left) files are only there")
        wasElsewhere.value = isElsewhere
    }

    /// All roots as the configuration names them.
    private var configuredRoots: [Settings.Root] {
        // Otherwise a moved root of which most files changed meanwhile would rightly be a new one.
        galleries.map { Settings.Root(path: $0.path, name: history.movesRoots ? $0.root : nil) }
    }

    /// Has the state take the directories of all roots as they are, as `init` does.
    private func takeDisks(_ locations: Locations) async throws {
        takesDisks.value = false
        let library = try Library(path: locations.library)
        var settings = Settings()
        settings.roots = configuredRoots
        let taking = DiskTaking(library: library, settings: settings)
        for root in galleries {
            let wasPresent = root.isPresent
            do {
                let sentence = try await taking.take(root.path)
                note("takes \(root.root): \(sentence ?? "nothing")")
            } catch let error as SystemError {
                note("takes \(root.root): \(error)")
            }
            if wasPresent, root.isPresent { continue }
            // What is in the place of a disk may have nothing of it, so that its files count as deleted.
            (wasIgnoring.value, tookOthers.value) = (true, true)
            promises.value = promises.value.filter { !$0.key.hasPrefix(root.root + "/") }
        }
        try await library.close()
    }

    /// The line between that life and the storage; of another destination, only what it does here is looked at.
    func line(of life: Life) -> RoughLine {
        if life.isElsewhere.value, let elsewhere {
            return RoughLine(
                far: elsewhere, probability: { [self] in probability($0) }, isCut: life.isCut,
                reach: { [self] in if !isCalm.value, !life.isCut.value { reach($0) } },
                begins: { [self] request, _ in
                    if life.isRefused.value { blame("\(request.url) is asked of a destination that is refused") }
                }, takes: { _, _, _ in }, ends: { _, _, _ in }, outage: { [self] in outage.value })
        }
        return RoughLine(
            far: storage, probability: { [self] in probability($0) }, isCut: life.isCut,
            reach: { [self] in if !isCalm.value, !life.isCut.value { reach($0) } },
            begins: { [self] in begins($0, $1, of: life) }, takes: { [self] in takes($0, $1, isLate: $2) },
            loses: { [self] in loses($0, $1) }, ends: { [self] in ends($0, $1, $2) },
            outage: { [self] in outage.value }, lies: { [self] in lies($0) })
    }

    private func setup(
        of life: Life, _ locations: Locations, _ line: RoughLine, _ session: Session?
    ) -> Agent.Setup {
        var settings = Settings()
        settings.roots = configuredRoots
        life.places.value = galleries.map(\.path)
        settings.scan.interval = .seconds(history.interval)
        settings.thumbnails.sizes = history.sizes
        settings.upload.smallFileBytes = history.smallFileBytes
        if history.keepsBoth != (configured.value == .otherChange) { settings.upload.onChange = .keepBoth }
        // A library that was made anew has another place here, and would count as another computer's.
        if history.forgets { settings.upload.computer = "here" }
        if history.readsBack { settings.verify.readBack = .always }
        switch configured.value {
        case .usual, .otherChange, .elsewhere, .slip: break
        case .failing: settings.upload.onForeign = .fail
        case .replacing: settings.upload.onForeign = .replace
        case .oneRoot: settings.roots.removeLast(settings.roots.count - 1)
        case .ignoring: for root in settings.roots.indices { settings.roots[root].ignore = ["2024", "Meer"] }
        case .indexing: for root in settings.roots.indices { settings.roots[root].autoUpload = false }
        case .otherSize: settings.thumbnails.sizes = [128]
        case .otherFormat: settings.thumbnails.format = .webp
        case .noPictures: settings.thumbnails.enabled = false
        }
        life.replacesForeign.value = settings.upload.onForeign == .replace
        life.hasOneRoot.value = configured.value == .oneRoot
        life.sizes.value = settings.thumbnails.roles.compactMap(\.thumbnailSize)
        let place = life.isElsewhere.value ? elsewhere ?? storage : storage
        if history.hasTable { settings.destination.metadataTable = RowsModel.table }
        if let budget = history.budget, !isCalm.value { settings.destination.storageBudget = .bytes(budget) }
        var setup = Agent.Setup(
            settings: settings, locations: locations,
            destination: place.destination,
            credentials: StorageCredentials(key: place.serviceKey), transport: line,
            workers: settings.thumbnails.enabled ? workers(life) : nil)
        if let session { setup.credentials = session.source }
        setup.rescue.folder = produced
        if let providers {
            let line = RoughLine(
                far: providers, probability: { [self] in probability($0) }, isCut: life.isCut,
                reach: { [self] in if !isCalm.value, !life.isCut.value { reach($0) } }, begins: { _, _ in },
                takes: { _, _, _ in }, ends: { _, _, _ in }, outage: { [self] in outage.value })
            setup.rescue.providers = providers.clients(line)
            setup.rescue.downloads = line
            setup.rescue.linkRules = LinkRules(configured: [ProviderModel.origin])
        }
        setup.queueWindow = history.queueWindow
        setup.disk = { path throws(SystemError) in life.disk(path) }
        setup.log = Log(level: .debug) { line in
            Simulation.current?.note(
                "\(life.number) \(line.message) \(line.details.map { "\($0.name)=\($0.value)" }.joined(separator: " "))"
            )
        }
        setup.hooks.hear = { [self] event in
            guard case .file(let event) = event, !life.isCut.value, !life.isElsewhere.value else { return }
            heard(event)
        }
        return setup
    }

    /// What makes pictures during `life`.
    private func workers(_ life: Life) -> ModelWorkers {
        ModelWorkers(
            fails: { [self] in probability(.decoder) },
            longest: { [self] in isCalm.value ? History.usualDecoding : history.decoding },
            reach: { [self] in if !isCalm.value, !life.isCut.value { reach(.decoding) } },
            failed: { [self] in undecodable.value.insert(SHA256.hash($0).hexadecimal) })
    }
}
