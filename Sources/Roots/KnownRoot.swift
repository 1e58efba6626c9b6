package import Platform

/// A watched directory tree as the library knows it.
package struct KnownRoot: Hashable, Sendable {
    /// The number of the root's row; it is part of the names of facts.
    package let id: Int64
    /// Never changes, because the key of every object below the root begins with it.
    package let name: String
    /// The absolute path of its directory.
    package let path: FilePath

    /// A root as its row describes it.
    package init(id: Int64, name: String, path: FilePath) {
        (self.id, self.name, self.path) = (id, name, path)
    }
}

extension KnownRoot {
    /// The name of the fact that there is while rules leave out stored files of the root, which may be here or gone.
    package var leftOutFact: String { "left out.\(id)" }

    /// The name of the fact that says which rules the last whole walk of the root went by.
    package var rulesFact: String { "rules.\(id)" }

    /// A root at `path` as the library would name it beside `others`; its number is 0, which no row has.
    package init(new path: FilePath, name: String? = nil, beside others: [KnownRoot]) {
        let wish = name ?? FilePath(bytes: path.name).display
        self.init(
            id: 0,
            name: Self.freeName(wish.isEmpty ? "root" : wish, taken: Self.reserved.union(others.map(\.name))),
            path: path)
    }

    /// Names that a root must not have, because other keys begin with them: those of thumbnails.
    package static let reserved: Set = [".thumbnails"]

    private static func freeName(_ wish: String, taken: Set<String>) -> String {
        guard taken.contains(wish) else { return wish }
        var number = 2
        while taken.contains("\(wish)-\(number)") { number += 1 }
        return "\(wish)-\(number)"
    }
}
