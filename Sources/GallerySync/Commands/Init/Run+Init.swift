import Catalog
import Configuration
import Gallery
import Platform
import Supabase
import Sync
import Text

extension Run {
    /// `init`: asks, writes the profile, and prints the command to run next.
    func initialize(_ request: InitRequest) async throws -> ExitCode {
        let locationRequest = Setup.locationRequest(invocation, in: surroundings)
        let (home, locations) = (try locationRequest.home(), try Locations(for: locationRequest))
        let profile = locationRequest.profile
        let request = try checked(request)
        if try await hasTakenDisks(request, locations) { return .success }
        try refuseOwnPlaces(request, locations)
        let file = try ConfigurationFile.read(locations.configuration, isNamed: false)
        let existing = try file.map(Self.value)
        var present = try present(profile, in: existing, file, request)
        var answers = try await InitQuestions(
            request: request, isNew: present == nil, known: try known(home: home), home: home,
            ask: asking(),
            tell: { console.note($0) }
        ).answers()
        if let key = answers.key, !(await isKept(key, of: profile)) {
            let keyFile = locations.configuration.parent.appending("\(profile).key")
            try Self.write(key + "\n", to: keyFile, keepingPrevious: false)
            answers.draft.destination.keyFile = keyFile
        }
        warn(of: answers.draft.destination, key: answers.key)
        let fresh = answers.draft.table(home: home)
        present?["destination"] = fresh["destination"]
        let text = ConfigurationText.text(profile: profile, .table(present ?? fresh), in: existing)
        try Self.write(text, to: locations.configuration, keepingPrevious: file != nil)
        if request.changesDestination { try await forgetDestination(locations) }
        try tell(profile: profile, locations.configuration, replaced: file != nil)
        return .success
    }

    /// Warns on standard error about the kind of the key, and about a storage budget that was not set.
    private func warn(of destination: Settings.Destination, key typed: String?) {
        guard !destination.local, let url = destination.url else { return }
        var settings = Settings()
        settings.destination = destination
        // A key that cannot be read is refused by the next command.
        let key = try? AccountKey.find(
            environment: surroundings.environment, settings: settings, user: surroundings.user)
        if let warning = (typed.map(KeyKind.init) ?? key?.kind)?.warning { console.note(warning) }
        if destination.storageBudget == nil, StorageBudget.isHosted(url) {
            let size = Quantity.text(bytes: StorageBudget.unknownPlan)
            console.note("At most \(size) are stored there until destination.storageBudget says what the plan allows.")
        }
    }

    /// Whether the desktop's keyring stored the key; if not, it goes into a file.
    private func isKept(_ key: String, of profile: String) async -> Bool {
        guard let keyring = Keyring(environment: surroundings.environment), await keyring.keep(key, of: profile) else {
            return false
        }
        console.note("The key is in the keyring.")
        return true
    }

    /// The settings from options and variables, without the configuration file.
    private func known(home: FilePath) throws(SettingsError) -> LoadedSettings {
        var sources = SettingSources(home: home)
        sources.environment = surroundings.environment
        sources.overrides = invocation.overrides
        return try sources.load()
    }

    /// Forgets the destination in the state; nothing at the former destination is touched.
    private func forgetDestination(_ locations: Locations) async throws {
        guard try FileFacts.existing(locations.library) != nil else { return }
        guard case .taken = try StateLock.acquire(locations) else {
            throw LockHeld(processID: try StateLock.holder(locations)?.processID)
        }
        let library = try Library(path: locations.library)
        try await library.forgetDestination()
        try await library.close()
    }

    /// Accepts other disks at the paths of known roots; whether `init` has nothing else to do.
    private func hasTakenDisks(_ request: InitRequest, _ locations: Locations) async throws -> Bool {
        guard !request.roots.isEmpty, !request.changesDestination,
            try FileFacts.existing(locations.library) != nil
        else { return false }
        // An invalid configuration is reported by the steps that follow.
        guard let setup = try? Setup(invocation, in: surroundings) else { return false }
        guard case .taken(let lock) = try StateLock.acquire(locations) else {
            throw LockHeld(processID: try StateLock.holder(locations)?.processID)
        }
        defer { withExtendedLifetime(lock) {} }
        let library = try Library(path: locations.library)
        let taking = DiskTaking(library: library, settings: setup.settings)
        var sentences: [String] = []
        for path in request.roots {
            if let sentence = try await taking.take(try path.resolved()) { sentences.append(sentence) }
        }
        try await library.close()
        guard !sentences.isEmpty else { return false }
        try console.result(sentences)
        return true
    }

    /// Refuses roots inside our own places, and names those of our places that a root leaves out.
    private func refuseOwnPlaces(_ request: InitRequest, _ locations: Locations) throws(UsageError) {
        let own = OwnPlaces(locations)
        for path in request.roots {
            guard !own.holds(path) else {
                throw UsageError(
                    message: "\(path) is where gallery-sync keeps its own files; name another directory.",
                    command: "init")
            }
            for place in own.below(path) where !place.components.contains(where: { $0.first == 0x2E }) {
                console.note("\(path.appending(place)) is left out: gallery-sync keeps its own files there.")
            }
        }
    }

    private func asking() -> InitQuestions.Asking {
        guard surroundings.isInteractive else { return { _, _ in nil } }
        return { question, isSecret in try await answer(to: question, isSecret: isSecret) }
    }
}

extension Run {
    /// The request with absolute paths; throws where a root does not exist.
    private func checked(_ request: InitRequest) throws -> InitRequest {
        var request = request
        request.roots = try request.roots.map { path in
            let path = surroundings.absolute(path)
            guard path.string != nil else {
                throw UsageError(message: "\(path) is not UTF-8; name a directory above it.", command: "init")
            }
            guard try FileFacts.existing(path)?.kind == .directory else {
                throw UsageError(message: "\(path) is no directory.", command: "init")
            }
            return path
        }
        request.keyFile = request.keyFile.map(surroundings.absolute)
        return request
    }

    /// The profile as it is in the file, `nil` where it is new; throws where it may not be changed.
    private func present(
        _ profile: String, in existing: SettingValue?, _ file: ConfigurationFile?, _ request: InitRequest
    ) throws(UsageError) -> [String: SettingValue]? {
        guard let file, case .table(let top) = existing, case .table(let profiles) = top["profiles"],
            case .table(let present) = profiles[profile]
        else { return nil }
        if request.changesDestination { return present }
        throw UsageError(
            message: "Profile \"\(profile)\" is set up already in \(file.path). Edit it there, add "
                + "--change-destination to send elsewhere, or --profile NAME for another one.", command: "init")
    }

    private static func value(of file: ConfigurationFile) throws -> SettingValue {
        var sources = SettingSources(home: "/")
        sources.file = file
        _ = try sources.load()
        return try SettingValue.parsing(file.bytes)
    }

    /// Writes a file that only its owner can read; a symlink keeps pointing to it.
    private static func write(_ text: String, to path: FilePath, keepingPrevious: Bool) throws(SystemError) {
        try Directory.create(at: path.parent)
        let target = try FileFacts.existing(path) == nil ? path : try path.resolved()
        let name = FilePath(bytes: target.name).display
        try LocalDisk(directory: target.parent).replace(
            name, with: Array(text.utf8), keepingPrevious: keepingPrevious ? name + ".1" : nil)
    }

    private func tell(profile: String, _ path: FilePath, replaced: Bool) throws {
        var next = "gallery-sync sync"
        if profile != SettingSources.standardProfile { next += " --profile \(profile)" }
        if let named = invocation.configuration { next += " --config \(named)" }
        if let named = invocation.stateDirectory { next += " --state-dir \(named)" }
        if invocation.isJSON {
            try console.result(
                json: JSONDocument.bytes(
                    ["schema": "gallery-sync/init/1", "configuration": path.display, "profile": profile, "next": next]))
            return
        }
        let previous = replaced ? "; what was there before is \(path).1" : ""
        try console.result(["Wrote \(path)\(previous).", "Next: \(next)"])
    }
}
