import MediaModel
import Platform

/// Media files of the user, by format, under names that tell any two of them apart.
struct Corpus: Sendable {
    /// The files of one format.
    struct Files: Sendable {
        let type: MediaType
        /// Links to the files; the first words of their names are numbers.
        let paths: [FilePath]
    }

    /// The formats, those with the most files first.
    let formats: [Files]

    /// Finds the media files below `folder`, and links them into a folder of the bench.
    init(_ folder: FilePath, on bench: Workbench) async throws {
        var found: [MediaType: [FilePath]] = [:]
        try Self.collect(folder, into: &found)
        let place = try await bench.fresh(.corpus)
        let links = try Directory(place)
        var formats: [Files] = []
        for (type, paths) in found {
            var linked: [FilePath] = []
            for (number, path) in paths.enumerated() {
                let ending = type.fileExtension ?? "media"
                let name = FilePath("\(ending)-\(number).\(ending)")
                try links.createLink(name, to: path)
                linked.append(place.appending(name))
            }
            formats.append(Files(type: type, paths: linked))
        }
        self.formats = formats.sorted { ($1.paths.count, $0.type.name) < ($0.paths.count, $1.type.name) }
    }

    /// Collects photos and videos by their first bytes, in the order of their names.
    private static func collect(_ folder: FilePath, into found: inout [MediaType: [FilePath]]) throws {
        for name in try Directory(folder).names().sorted() {
            let path = folder.appending(name)
            switch try FileFacts.existing(path, followingLinks: false)?.kind {
            case .directory: try collect(path, into: &found)
            case .file:
                let header = try OpenFile(reading: path).read(at: 0, upTo: MediaIdentity.headerLength)
                let identity = MediaIdentity(header: header, fileExtension: path.fileExtension)
                guard let identity, identity.isCertain, [.photo, .video].contains(identity.kind) else { continue }
                found[identity.type, default: []].append(path)
            default: continue
            }
        }
    }
}
