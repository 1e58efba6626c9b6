import Catalog
import CommandLine
import Configuration
import Diagnosis
import FoundationEssentials
import Gallery
import Output
import Platform
import Records
import Reporting
import Roots
import SetUp
import Sync
import Text
import Uploading

extension Run {
    /// `init`: asks, tries the answers, writes the profile, and prints the command to run next.
    func initialize(_ request: InitRequest) async throws -> ExitCode {
        let locationRequest = try Setup.locationRequest(invocation, in: surroundings)
        let (home, locations) = (try locationRequest.home(), try Locations(for: locationRequest))
        var request = try absolute(request)
        if try await hasTakenDisks(request, locations) { return .success }
        try refuseMissing(request)
        try refuseOwnPlaces(request, locations)
        let edit = try ProfileEdit(locationRequest.profile, locations: locations, home: home)
        let known = try edit.known(invocation, in: surroundings)
        // A user who names a folder for a profile with a destination wants nothing else changed.
        let destination = known.settings.destination
        let isComplete = edit.present != nil && (destination.local || destination.url != nil)
        if isComplete, !request.roots.isEmpty { request.acceptsDefaults = true }
        let questions = InitQuestions(
            request: request, isNew: edit.present == nil, known: known,
            presentKey: try await presentKey(
                edit, known.settings.destination, file: request.keyFile), home: home, ask: asking(),
            tell: { console.note(DisplayText.safe($0)) })
        show(edit, known)
        var answers = try await questions.answers()
        try refuseOverlap(answers.draft, with: known.settings)
        let present = try edit.presentDestination(in: surroundings) ?? destination
        request.changesDestination = try await isMove(request, edit, from: present, to: answers.draft.destination)
        let trial = InitTrial(run: self, edit: edit, questions: questions)
        let outcome = try await trial.run(&answers)
        warn(of: answers.draft.destination)
        try await write(&answers, edit, request)
        try tell(edit, next: outcome.next ?? (request.isRestoring ? "restore --to DIR" : "sync"))
        if let holder = try StateLock.holder(locations) {
            console.note(
                "The running agent, process \(holder.processID), read the configuration at its start. "
                    + Report.restart)
        }
        return outcome.code
    }

    /// Writes the profile; if its destination changes, no agent may run, because it would store at the former one.
    private func write(
        _ answers: inout ProfileAnswers, _ edit: ProfileEdit, _ request: InitRequest
    ) async throws {
        let locations = edit.locations
        // Items may wait although the library is lost.
        guard request.changesDestination, try FileFacts.existing(locations.state) != nil else {
            return try await keep(&answers, edit)
        }
        guard case .taken(let lock) = try StateLock.acquire(locations) else {
            throw LockHeld(processID: try StateLock.holder(locations)?.processID)
        }
        defer { withExtendedLifetime(lock) {} }
        try await keep(&answers, edit)
        try await forgetDestination(locations)
    }

    /// Tells the user what an existing profile already sets.
    private func show(_ edit: ProfileEdit, _ known: LoadedSettings) {
        guard edit.present != nil, let path = edit.file?.path else { return }
        let settings = known.settings
        let destination = settings.destination
        let place = destination.local ? "this computer" : destination.url.map { "\($0), bucket \(destination.bucket)" }
        let roots = settings.roots.map(\.path.display).joined(separator: ", ")
        remark(
            DisplayText.safe(
                "Profile \"\(edit.profile)\" in \(path): \(roots.isEmpty ? "no folder" : roots) to "
                    + "\(place ?? "nowhere yet")."
                    + (surroundings.isInteractive ? " Empty answers keep what is there." : "")))
    }

    /// Whether the destination changes; refused without `--change-destination` if the profile has stored files.
    private func isMove(
        _ request: InitRequest, _ edit: ProfileEdit, from old: Settings.Destination, to new: Settings.Destination
    ) async throws -> Bool {
        guard !request.changesDestination, edit.present != nil,
            (old.url, old.bucket, old.prefix) != (new.url, new.bucket, new.prefix) || old.local != new.local,
            let library = try Library.existing(at: edit.locations.library),
            let place = try await library.fact(Library.destinationFact)
        else { return request.changesDestination }
        guard try await library.receiptCount(destination: place, prefix: "") > 0 else { return true }
        throw UsageError(
            message:
                "Files of this profile are stored at \(place). Add --change-destination to send elsewhere; nothing "
                + "there is touched. Or set up another profile with --profile NAME.", command: "init")
    }

    /// Says on standard error what a storage budget that was not set means.
    private func warn(of destination: Settings.Destination) {
        let room = Finding.room(destination)
        if !destination.local, room.result == .doubtful { console.note(room.sentence) }
    }

    /// Forgets the destination in the state; nothing at the former destination is touched.
    private func forgetDestination(_ locations: Locations) async throws {
        let former = try await FormerDestination.forget(in: locations, at: Date())
        guard former.left > 0, let name = former.name else { return }
        let files = former.left == 1 ? "One file that is" : "\(former.left) files that are"
        console.note("\(files) gone here stay stored at \(name) alone, and are not counted any more.")
    }

    /// Accepts other disks at the paths of known roots; returns whether `init` has nothing else to do.
    private func hasTakenDisks(_ request: InitRequest, _ locations: Locations) async throws -> Bool {
        guard !request.roots.isEmpty, !request.changesDestination,
            try FileFacts.existing(locations.library) != nil
        else { return false }
        // An invalid configuration is reported by the steps that follow.
        guard let setup = try? Setup(invocation, in: surroundings) else { return false }
        // A running agent holds the lock, but only a root that waits for its disk needs the lock.
        if try StateLock.holder(locations) != nil, try await !concernsAbsentRoots(request, locations) { return false }
        guard case .taken(let lock) = try StateLock.acquire(locations) else {
            throw LockHeld(processID: try StateLock.holder(locations)?.processID)
        }
        defer { withExtendedLifetime(lock) {} }
        let library = try Library(path: locations.library)
        let taking = DiskTaking(library: library, settings: setup.settings)
        var sentences: [String] = []
        for path in request.roots {
            if let sentence = try await taking.take(try Self.resolved(path)) { sentences.append(sentence) }
        }
        try await library.close()
        guard !sentences.isEmpty else { return false }
        try confirm(sentences)
        return true
    }

    /// Whether one of the folders is, or lies in, a root that waits for its disk.
    private func concernsAbsentRoots(_ request: InitRequest, _ locations: Locations) async throws -> Bool {
        guard let library = try Library.existing(at: locations.library) else { return false }
        let absent = try await library.absentRoots().map(\.path)
        return try request.roots.contains { path in
            let path = try Self.resolved(path)
            return absent.contains { $0 == path || path.relative(to: $0) != nil }
        }
    }

    /// The path without links; for a mount point that vanished with its disk, the path where it was.
    private static func resolved(_ path: FilePath) throws -> FilePath {
        if try FileFacts.existing(path) != nil { return try path.resolved() }
        guard try FileFacts.existing(path.parent) != nil else { return path }
        return try path.parent.resolved().appending(path.name)
    }

    /// Refuses roots inside our own places, and tells the user which of our places a root leaves out.
    private func refuseOwnPlaces(_ request: InitRequest, _ locations: Locations) throws(UsageError) {
        let own = OwnPlaces(locations)
        for path in request.roots {
            if let sentence = own.refusal(of: path) { throw UsageError(message: sentence, command: "init") }
            for place in own.below(path) where !place.components.contains(where: { $0.first == 0x2E }) {
                let folder = DisplayText.safe(path.appending(place).display)
                console.note("\(folder) is left out: gallery-sync keeps its own files there.")
            }
        }
    }

    private func asking() -> InitQuestions.Asking {
        guard surroundings.isInteractive else { return { _, _ in nil } }
        return { question, isSecret in try await answer(to: question, isSecret: isSecret) }
    }
}

extension Run {
    /// The request with absolute paths.
    private func absolute(_ typed: InitRequest) throws -> InitRequest {
        var request = typed
        request.roots = []
        for path in typed.roots {
            let path = try surroundings.absolute(path)
            guard path.string != nil else {
                throw UsageError(message: "\(path) is not UTF-8; name a directory above it.", command: "init")
            }
            let folder = try plain(path)
            if !request.roots.contains(folder) { request.roots.append(folder) }
        }
        request.keyFile = try request.keyFile.map { try surroundings.absolute($0) }
        if let file = request.keyFile, file.string == nil {
            throw UsageError(message: "\(file) is not UTF-8, as a configuration has to be.", command: "init")
        }
        return request
    }

    private func refuseMissing(_ request: InitRequest) throws {
        for path in request.roots where try FileFacts.existing(path)?.kind != .directory {
            throw UsageError(message: "\(path) is no directory.", command: "init")
        }
    }

    /// The path without empty steps, `.` and `..`, so that all spellings of a path become the same.
    private func plain(_ path: FilePath) throws -> FilePath {
        let goesBack = path.components.contains { $0 == Array("..".utf8) || $0 == Array(".".utf8) }
        return goesBack ? try path.resolved() : path.components.reduce(FilePath("/")) { $0.appending($1) }
    }

    /// Refuses a folder inside another one, including the folders that the profile already has.
    private func refuseOverlap(_ draft: ProfileDraft, with known: Settings) throws(UsageError) {
        guard !draft.roots.isEmpty else { return }
        let folders = known.roots.map(\.path) + draft.roots.map(\.path)
        guard let trouble = AnswerReading.troubles(among: folders).first else { return }
        throw UsageError(message: trouble, command: "init")
    }

    /// - Parameter command: What to run next, without the options that name the profile.
    private func tell(_ edit: ProfileEdit, next command: String) throws {
        let path = edit.locations.configuration
        let next = self.command(command, profile: edit.profile)
        if invocation.isJSON {
            try console.result(
                json: JSONDocument.bytes(
                    [
                        "schema": "gallery-sync/init/1", "configuration": path.display, "profile": edit.profile,
                        "next": next,
                    ]))
            return
        }
        let previous = try edit.former.map { "; what was there before is \($0)" } ?? ""
        try confirm(["Wrote \(path)\(previous).", "Next: \(next)"].map(DisplayText.safe))
    }
}
