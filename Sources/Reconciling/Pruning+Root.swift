import Catalog
import Configuration
import Platform
import Queue
import Records
package import Roots
import Text

extension Pruning {
    /// Lists or deletes all objects of the root called `name`, whether its files are there or not.
    ///
    /// A root of which nothing is stored any more is forgotten. Throws `Refusal` if the gallery still keeps the root.
    ///
    /// - Parameter letGo: Makes sure that nothing waits for files of the root any more.
    package func run(
        root name: String, _ result: inout PruneResult, letGo: (Root) async throws -> Void
    ) async throws {
        guard let root = context.roots[name] else { throw Refusal(.usage(unknownRoot(name))) }
        if let objection = objection(to: root) { throw Refusal(.usage(objection)) }
        if deleting {
            try await letGo(root)
            // From here on all of it counts as only in storage, even if the deletion is cut short.
            _ = try await context.library.missDirectories(of: root.known.id, below: FilePath(bytes: []), notIn: [])
            try await context.library.commit()
        }
        var last = ""
        while true {
            let page = try await context.library.receipts(
                ofRoot: root.known.id, destination: context.destination.name, after: last, count: Self.batch)
            guard let end = page.last else { break }
            try await prune(page, isNamed: true, &result)
            last = end.receipt.key.text
        }
        try await pruneLeftovers(of: name, &result)
        guard deleting else { return }
        // Of a file that is being sent the library learns with its receipt, for which it has to know the root.
        let sending = await context.queue.unfinished().filter { $0.isOpen && $0.root == name }
        result.kept += sending.map {
            PruneResult.Kept(
                path: "\(name)/\($0.path)", key: $0.objectKey.text,
                reason: "it is being sent: run this again once it is stored")
        }
        guard sending.isEmpty, try await context.library.forget(root.known) else { return }
        context.roots.remove(name)
        result.forgotten = name
        context.wake.notify()
    }

    private func unknownRoot(_ name: String) -> String {
        let names = context.roots.all.map(\.name)
        let known = names.isEmpty ? "no root is known yet" : "known are \(names.joined(separator: ", "))"
        return "\(DisplayText.safe(name)) is no root: \(known).\(Spelling.suggestion(for: name, among: names))"
    }

    /// Why what is stored of a root must not be deleted; `nil` if it may be.
    private func objection(to root: Root) -> String? {
        guard !context.roots.dropped.contains(where: { $0.name == root.name }) else { return nil }
        guard !context.roots.replaced(where: \.isHere).contains(where: { $0.name == root.name }) else { return nil }
        let path = root.known.path
        let configured = context.settings.roots.map(\.path)
        guard configured.isEmpty else {
            let part = configured.first { $0 != path && $0.relative(to: path) != nil }
            let named = configured.contains(path) ? path.display : "\(part ?? path), which is a part of it,"
            return "\(named) is in the configuration: take it out there first, so that it is not stored again"
        }
        return root.isHere ? "\(path.display) is there: the next sync would store it again" : nil
    }
}
