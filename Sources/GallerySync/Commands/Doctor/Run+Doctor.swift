import Catalog
import CommandLine
import Configuration
import Desktop
import Diagnosis
import Gallery
import Output
import Platform
import Providers
import Records
import Reporting
import Roots
import Supabase
import Text
import Transfer

extension Run {
    /// `doctor`: finds problems at the destination and on this computer.
    func doctor() async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let program = try Self.mediaProgram()
        let library = try Library.existing(at: setup.locations.library)
        let computer = ComputerExamination(settings: setup.settings, locations: setup.locations, program: program)
        let place: Workplace
        do {
            place = try await workplace(setup)
        } catch let refusal as Refusal {
            let name = if case .notPermitted = refusal.ending { "key" } else { "destination" }
            let finding = Finding.wrong(name, "\(refusal)", ending: refusal.ending)
            return try tell([finding] + (await rest(setup, library, computer)))
        } catch let error as SettingsError {
            let finding = Finding.wrong("key", "\(error)", ending: .needsHuman("\(error)"))
            return try tell([finding] + (await rest(setup, library, computer)))
        } catch let error as SystemError {
            return try tell([.closed(setup.locations.storage, error)] + (await rest(setup, library, computer)))
        }
        return try await doctor(place, setup, library, computer)
    }

    /// The findings that do not depend on the destination: about this computer, the files, the service, the providers.
    private func rest(
        _ setup: Setup, _ library: Library?, _ computer: ComputerExamination
    ) async throws -> [Finding] {
        let report = try await report(setup, .summary, library: library, looksAtDisk: true)
        var findings = await computer.findings().map { $0.checked(against: report) } + Finding.files(report)
        let service = await Finding.service(
            try StateLock.holder(setup.locations), unit: WatchUnit.name(of: setup.loaded.profile),
            SystemTool("systemctl", environment: surroundings.environment))
        if let service { findings.append(service) }
        if setup.settings.upload.computer == nil, let former = try await library?.formerIdentity() {
            findings.append(.copied(from: former))
        }
        if let link = try surroundings.host() { findings.append(await Finding.host(link)) }
        return findings + (await providerFindings(setup))
    }

    private func doctor(
        _ place: Workplace, _ setup: Setup, _ library: Library?, _ computer: ComputerExamination
    ) async throws -> ExitCode {
        let settings = setup.settings.destination
        let examination = DestinationExamination(
            storage: place.storage, destination: place.destination, allowsPublic: settings.allowPublicBucket,
            name: Randomness.bytes(8).hexadecimal, contents: try await contents(of: library, setup))
        let title = Finding.fine("destination", place.destination.title)
        let metadata = Self.metadataExamination(place, settings)
        let links = RowLinkExamination(
            storage: place.storage, bucket: place.destination.bucket, table: setup.settings.rescue.table)
        let examined = try await interruptible {
            var findings = [title] + (await examination.findings())
            if let metadata { findings.append(await metadata.finding()) }
            if let finding = await links.finding() { findings.append(finding) }
            return findings + (try await rest(setup, library, computer))
        }
        // The sweep runs here because the examination that a signal ended can send no more requests.
        if case .interrupted = examined { await examination.sweep() }
        await place.close()
        switch examined {
        case .finished(let findings): return try tell(findings)
        case .interrupted(let signal): return ExitCode(signal)
        }
    }

    /// What is known about the gallery so far; `nil` before the first sync.
    private func contents(of library: Library?, _ setup: Setup) async throws -> GalleryContents? {
        guard let library else { return nil }
        let thumbnails = setup.settings.thumbnails
        return try await GalleryContents(of: library, pictures: thumbnails.enabled ? thumbnails.format : nil)
    }

    /// One finding for each provider that has a key or an address.
    private func providerFindings(_ setup: Setup) async -> [Finding] {
        let client = HTTPClient(userAgent: "gallery-sync/\(Version.text)")
        defer { client.close() }
        let sites = ProviderSites(setup, in: surroundings, transport: client)
        var findings: [Finding] = []
        for name in setup.settings.providers.names {
            guard let examination = sites.examination(of: name) else { continue }
            findings.append(await examination.finding())
        }
        return findings
    }

    /// The examination of the table that the settings name; `nil` without one.
    private static func metadataExamination(
        _ place: Workplace, _ settings: Settings.Destination
    ) -> MetadataExamination? {
        guard let table = settings.metadataTable,
            let client = RestClient(beside: place.storage, of: place.destination, transport: place.client)
        else { return nil }
        return MetadataExamination(client: client, table: table)
    }

    private func tell(_ findings: [Finding]) throws -> ExitCode {
        let sql = FindingLines.sql(findings)
        if invocation.isJSON {
            let isFine = !findings.contains { $0.result == .wrong }
            try console.result(json: JSONDocument.bytes(Diagnosis(fine: isFine, findings: findings, sql: sql)))
        } else {
            try console.result(FindingLines.text(findings, console.paint, columns: columns))
            if !sql.isEmpty { try console.result(["", "-- For the project's SQL editor:", sql]) }
        }
        return ExitCode(findings)
    }

    /// `gallery-sync/doctor/1`.
    private struct Diagnosis: Encodable {
        let schema = "gallery-sync/doctor/1"
        let fine: Bool
        let findings: [Finding]
        let sql: String
    }
}

extension ExitCode {
    /// The gravest finding decides, wherever it stands; one that stops no storing gives 3.
    init(_ findings: [Finding]) {
        let codes = findings.filter { $0.result == .wrong }.map { $0.ending.map { ExitCode($0) } ?? .someFailed }
        self = Self.gravestFirst.first(where: codes.contains) ?? codes.first ?? .success
    }

    /// What needs a person comes first, and what passes by itself late.
    private static let gravestFirst: [ExitCode] = [.configuration, .denied, .full, .disk, .temporary, .someFailed]
}
