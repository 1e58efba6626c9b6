package import Platform

/// A directory tree as a literal: text and bytes are files, dictionaries are directories.
///
/// Names are bytes, so a tree can hold names that are not UTF-8: `[FilePath(bytes: [0xff]): "x"]`.
package struct FileTree: Hashable, Sendable {
    package enum Node: Hashable, Sendable {
        case file([UInt8])
        case directory(FileTree)
        case symlink(to: FilePath)
    }

    package var nodes: [FilePath: Node]

    package init(_ nodes: [FilePath: Node] = [:]) {
        self.nodes = nodes
    }

    /// Reads back what lies below `path`.
    package init(at path: FilePath) throws(SystemError) {
        try self.init(in: try Directory(path))
    }

    private init(in directory: Directory) throws(SystemError) {
        nodes = [:]
        for name in try directory.names() {
            switch try directory.facts(of: name).kind {
            case .file: nodes[name] = .file(try directory.open(file: name).readAll())
            case .directory: nodes[name] = .directory(try FileTree(in: try directory.open(directory: name)))
            case .symlink: nodes[name] = .symlink(to: try directory.target(ofLink: name))
            case .other: break
            }
        }
    }

    /// Writes the tree into the existing directory `path`.
    package func write(to path: FilePath) throws(SystemError) {
        try write(in: try Directory(path))
    }

    private func write(in directory: Directory) throws(SystemError) {
        for (name, node) in nodes {
            switch node {
            case .file(let bytes):
                try directory.create(file: name).append(bytes)
            case .directory(let tree):
                try directory.createDirectories(name)
                try tree.write(in: try directory.open(directory: name))
            case .symlink(let target):
                try directory.createLink(name, to: target)
            }
        }
    }
}

extension FileTree {
    /// Calls `body` with a fresh directory that holds this tree; it is removed on every exit.
    package func withDirectory<Value>(_ body: (FilePath) async throws -> Value) async throws -> Value {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        try write(to: directory.path)
        return try await body(directory.path)
    }
}

extension FileTree: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (FilePath, Node)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension FileTree.Node: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral text: String) { self = .file(Array(text.utf8)) }
    package init(arrayLiteral bytes: UInt8...) { self = .file(bytes) }
    package init(dictionaryLiteral elements: (FilePath, FileTree.Node)...) {
        self = .directory(FileTree(Dictionary(elements) { _, last in last }))
    }
}

extension FileTree {
    /// The names at the top.
    package var names: [FilePath] { nodes.keys.sorted() }

    /// Every file below, by path, without the directories.
    package var files: [FilePath: [UInt8]] {
        var files: [FilePath: [UInt8]] = [:]
        for (name, node) in nodes {
            switch node {
            case .file(let bytes): files[name] = bytes
            case .directory(let tree): for (path, bytes) in tree.files { files[name.appending(path)] = bytes }
            case .symlink: continue
            }
        }
        return files
    }
}
