import Catalog
import CommandLine
import Configuration
import Diagnosis
import Gallery
import Output
import Platform
import Sync

extension Run {
    /// `config show` and `config check`.
    func config(_ request: ConfigRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let key: Result<AccountKey?, SettingsError>
        do throws(SettingsError) {
            key = .success(try await setup.key(in: surroundings))
        } catch {
            key = .failure(error)
        }
        switch request {
        case .show:
            let listing = ConfigListing(setup: setup, key: try key.get())
            try invocation.isJSON ? console.result(json: listing.json()) : console.result(listing.lines)
            return .success
        case .check:
            let program = try Self.mediaProgram()
            let worker = setup.settings.thumbnails.enabled ? await Finding.walls(of: program) : nil
            let library = try Library.existing(at: setup.locations.library) ?? Library.empty()
            let roots = try await RenamedRoots(library: library, configured: setup.settings.roots).roots()
            let isRemembered = try await Workplace.isLocalRemembered(setup)
            let check = ConfigCheck(
                setup: setup, isLocal: setup.settings.destination.local || isRemembered, key: key, worker: worker,
                roots: roots, elsewhere: try await setup.storedElsewhere(library))
            let lines = FindingLines.text(check.findings, console.paint, columns: columns)
            try invocation.isJSON ? console.result(json: check.json()) : console.result(lines)
            return check.isFine ? .success : .configuration
        }
    }
}
