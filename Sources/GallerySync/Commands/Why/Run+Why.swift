import Catalog
import CommandLine
import Configuration
import Gallery
import Output
import Queue
import Records
import Reporting
import Roots
import Text

extension Run {
    /// `why FILE…`: prints the decisions taken about files.
    func why(_ request: WhyRequest) async throws -> ExitCode {
        let setup = try Setup(invocation, in: surroundings)
        let locations = setup.locations
        let library = try Library.existing(at: locations.library) ?? Library.empty()
        let items = try QueueStore(state: locations.state).load().entries
        let isRunning = try StateLock.holder(locations) != nil
        let roots = try await setup.roots(of: library)
        for file in request.files {
            let path = try real(file)
            let explanation = try await Explanation(
                of: path, root: roots.root(holding: path), library: library, items: items,
                isRunning: isRunning)
            if invocation.isJSON {
                // Each of several documents is one line, so that a reader can tell them apart.
                let isAlone = request.files.count == 1
                try console.result(json: isAlone ? JSONDocument.bytes(explanation) : JSONDocument.line(explanation))
            } else {
                try console.result(WhyLines.text(explanation.path, explanation.decisions, columns: columns))
            }
        }
        return .success
    }
}
