package import Platform

/// The directories that the user may mean by a partly typed path.
package enum FolderCompletion {
    private static let limit = 50

    /// Those whose paths begin with `text`, in the same notation; hidden ones only after a dot.
    ///
    /// A folder that cannot be read has none.
    package static func folders(_ text: String, home: FilePath) -> [String] {
        let typed = text == "~" || text.isEmpty ? "~/" : text
        guard let slash = typed.lastIndex(of: "/"), typed.hasPrefix("/") || typed.hasPrefix("~/") else { return [] }
        let (base, start) = (typed[...slash], typed[typed.index(after: slash)...])
        let folder = FilePath(String(base)).expanded(home: home)
        guard let names = try? Directory(folder).names() else { return [] }
        let candidates = names.compactMap(\.string).filter {
            $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix("."))
        }
        var folders: [String] = []
        // Each is asked about once: a lazy filter asks twice, and traps if a folder has gone in between.
        for name in candidates where AnswerReading.isDirectory(folder.appending(name)) {
            folders.append(String(base) + name)
            if folders.count == limit { break }
        }
        return folders
    }
}
