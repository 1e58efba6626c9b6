import Catalog
import CommandLine
import Configuration
import FoundationEssentials
import Gallery
import Output
import Platform
import Queue
import Records
import Restoring
import Roots
import Text

extension Run {
    /// `restore`: brings stored objects back as files.
    func restore(_ request: RestoreRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let target = try folder(request.target)
        let place = try await workplace(setup, isForReading: true)
        do {
            let code = try await restore(request, to: target, setup, place)
            await place.close()
            return code
        } catch {
            await place.close()
            throw error
        }
    }

    private func restore(
        _ request: RestoreRequest, to target: FilePath, _ setup: Setup, _ place: Workplace
    ) async throws -> ExitCode {
        var parts = Restorer.Setup(storage: place.storage, destination: place.destination, directory: target)
        parts.selection = RestoreSelection(
            paths: try await places(of: request.paths, setup), since: request.since?.moment(before: .now))
        parts.isDryRun = request.isDryRun
        parts.log = log(setup.settings.log)
        if let events { parts.settled = { events.tell(Event($0)) } }
        if !invocation.isQuiet { await warn(of: target, setup) }
        let restorer = Restorer(parts)
        let ended = try await interruptible {
            try await showing({ restorer.progress }) { try await restorer.run() }
        }
        guard case .finished(let result) = ended else {
            console.note("gallery-sync: stopped; the same command goes on from here")
            if case .interrupted(let signal) = ended { return ExitCode(signal) }
            return .success
        }
        try tell(result)
        return ExitCode(result.ending)
    }

    /// The paths as `<root>/<path>`, also if they were given as absolute paths.
    private func places(of paths: [FilePath], _ setup: Setup) async throws -> [FilePath] {
        guard paths.contains(where: { $0.isAbsolute }) else { return paths }
        let known = try await knownRoots(setup)
        return paths.map { path in
            guard path.isAbsolute else { return path }
            let names = [path, (try? path.resolved()) ?? path]
            let found = known.reversed().lazy.compactMap { root -> FilePath? in
                for name in names {
                    if name == root.path { return FilePath(root.name) }
                    if let below = name.relative(to: root.path) { return FilePath(root.name).appending(below) }
                }
                return nil
            }
            return found.first ?? path
        }
    }

    /// The roots of the library and the settings.
    private func knownRoots(_ setup: Setup) async throws -> [KnownRoot] {
        var known = try await Library.existing(at: setup.locations.library)?.roots() ?? []
        // A root that the state does not know gets the name that a first sync would give it.
        for root in setup.settings.roots where !known.contains(where: { $0.path == root.path }) {
            known.append(KnownRoot(new: root.path, name: root.name, beside: known))
        }
        return known
    }

    /// Tells, before anything is written, that restored files would themselves be stored, as copies.
    private func warn(of target: FilePath, _ setup: Setup) async {
        let place = (try? target.resolved()) ?? target
        // A restore needs no local state, so one that cannot be read does not keep it from being made.
        guard let roots = try? await knownRoots(setup),
            let root = roots.first(where: { $0.path == place || place.relative(to: $0.path) != nil })
        else { return }
        var sentences = ["\(root.path.display) is kept safe, so what is restored inside it is stored once more."]
        if place == root.path, Array(root.name.utf8) == place.name {
            sentences.append("\"--to \(place.parent.display)\" puts files where they were.")
        }
        console.note("gallery-sync: " + DisplayText.safe(sentences.joined(separator: " ")))
    }

    private func tell(_ result: RestoreResult) throws {
        for problem in result.problems { console.note(DisplayText.safe(problem)) }
        if let next = result.nextStep { console.note(next) }
        for sentence in result.unmatchedSentences { console.note(DisplayText.safe(sentence)) }
        if let events { return events.conclude(with: ["result": try JSONDocument.value(Restored(result))]) }
        if invocation.isJSON {
            return try console.result(json: JSONDocument.bytes(Restored(result)))
        }
        if result.isDryRun {
            try console.result(
                prose: result.planned.map { "\(DisplayText.safe($0.name))  \(Quantity.text(bytes: $0.size))" })
        }
        try result.isDryRun || result.ending != .done
            ? console.result(prose: [result.sentence]) : confirm([result.sentence])
        if result.stopped != nil { complain("\(result.ending)", ExitCode(result.ending)) }
    }

    private struct Restored: Encodable {
        let schema = "gallery-sync/restore/1"
        let dryRun: Bool
        let restored: Int
        let bytes: Int64
        let alreadyThere: Int
        let unproven: Int
        let untimed: Int
        let renamed: [String]
        let problems: [String]

        init(_ result: RestoreResult) {
            dryRun = result.isDryRun
            restored = result.restored
            bytes = result.restoredBytes
            alreadyThere = result.alreadyThere
            unproven = result.unproven
            untimed = result.untimed
            renamed = result.renamed.map(\.problem)
            problems = (result.refused + result.failed).map(\.problem) + result.unmatchedSentences
        }
    }
}
