import Catalog
import Configuration
import Platform
import Queue
import Records
import Roots
import Sync
import Text

extension Agent {
    /// Lists or deletes all objects of the root called `name`, whether its files are there or not.
    ///
    /// A root of which nothing is stored any more is forgotten. Throws `Refusal` where the gallery still keeps it.
    func prune(root name: String, deleting: Bool, _ result: inout PruneResult) async throws {
        guard let root = roots[name] else { throw Refusal(.usage(unknownRoot(name))) }
        if let objection = objection(to: root) { throw Refusal(.usage(objection)) }
        if deleting {
            try await letGo(of: root)
            // From here on all of it is only in storage, also where this is cut off.
            _ = try await library.missDirectories(of: root.known.id, below: FilePath(bytes: []), notIn: [])
            try await library.commit()
        }
        var last = ""
        while true {
            let page = try await library.receipts(
                ofRoot: root.known.id, destination: setup.destination.name, after: last, count: Self.pruneBatch)
            guard let end = page.last else { break }
            try await prune(page, isNamed: true, deleting: deleting, &result)
            last = end.receipt.key.text
        }
        try await pruneLeftovers(of: name, deleting: deleting, &result)
        guard deleting, try await library.forget(root.known) else { return }
        roots.remove(name)
        result.forgotten = name
        wake.notify()
    }

    private func unknownRoot(_ name: String) -> String {
        let names = roots.all.map(\.name)
        let known = names.isEmpty ? "no root is known yet" : "known are \(names.joined(separator: ", "))"
        return "\(DisplayText.safe(name)) is no root: \(known).\(Spelling.suggestion(for: name, among: names))"
    }

    /// Why what is stored of a root is not given up; `nil` where it may be.
    private func objection(to root: Root) -> String? {
        guard !roots.dropped.contains(where: { $0.name == root.name }) else { return nil }
        guard !roots.replaced(where: \.isHere).contains(where: { $0.name == root.name }) else { return nil }
        let path = root.known.path
        guard setup.settings.roots.isEmpty else {
            return "\(path.display) is in the configuration: take it out there first, so that it is not stored again"
        }
        return root.isHere ? "\(path.display) is there: the next sync would store it again" : nil
    }
}
