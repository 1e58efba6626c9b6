import Catalog
import CommandLine
import Configuration
import Control
import FoundationEssentials
import Gallery
import Output
import Platform
import Records
import Roots
import Supabase
import Text

extension Run {
    /// `link FILE…`: prints URLs that show stored files.
    func link(_ request: LinkRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        guard let library = try Library.existing(at: setup.locations.library) else {
            throw Refusal(.needsHuman("Nothing was ever stored with this profile: run \"gallery-sync sync\" first."))
        }
        let place = try await workplace(setup, isForReading: true)
        do {
            let code = try await link(request, setup, library, place)
            await place.close()
            return code
        } catch {
            await place.close()
            throw error
        }
    }

    private func link(
        _ request: LinkRequest, _ setup: Setup, _ library: Library, _ place: Workplace
    ) async throws -> ExitCode {
        if let sentence = Linker.refusal(at: place.destination) { throw Refusal(.needsHuman(sentence)) }
        let roots = RootRegistry(try await library.roots().map { Root($0, settings: setup.settings) })
        let linker = Linker(library: library, storage: place.storage, destination: place.destination)
        var links: [Linker.Link] = []
        var problems: [String] = []
        var last: Refusal?
        for file in request.files {
            let path = try real(file)
            do {
                let location = roots.root(holding: path).map { (root: $0.root.name, path: $0.below) }
                links.append(try await linker.link(to: path, location, for: request.expires))
            } catch let refusal as Refusal {
                last = refusal
                problems.append("\(DisplayText.safe(file.display)): \(refusal)")
                console.note(problems.suffix(1))
            }
        }
        if invocation.isJSON {
            try console.result(json: JSONDocument.bytes(Links(links: links, problems: problems)))
        } else if !links.isEmpty {
            try console.result(links.map(\.url))
        }
        guard let last else { return .success }
        // If no file got a link, the cause is the server rather than a file.
        if links.isEmpty, last.ending.kind != .someFailed { return ExitCode(last.ending) }
        return .someFailed
    }

    private struct Links: Encodable {
        let schema = "gallery-sync/link/1"
        let links: [Linker.Link]
        let problems: [String]
    }
}
