import Browsing
import Catalog
import Platform
import Records
import Roots
import Serving
import Text

/// The folders of the gallery, and the files with equal content.
struct FolderRoutes: Sendable {
    let contents: PageContents

    private struct Folders: Encodable {
        let schema = "gallery-sync/folders/1"
        let folders: [Folder]
    }

    private struct Folder: Encodable {
        let root: String
        /// As an address names it.
        let path: String
        let name: String
        let count: Int
        let hasFolders: Bool
    }

    /// The folders directly below the one that the request names; the roots where it names none.
    func folders(_ request: Request) async throws -> Response {
        let survey = try await contents.timeline.survey()
        let roots = try await contents.timeline.roots()
        guard let name = request.queryItem("root") else {
            return .json(
                Folders(
                    folders: roots.map { root in
                        Self.folder(
                            TimelineSurvey.Folder(root: root.id, path: FilePath(bytes: [])), of: root, in: survey)
                    }))
        }
        guard let root = roots.first(where: { $0.name == name }) else { throw PageRefusal.noSuchPlace }
        guard let path = FilePath(inPage: request.queryItem("path") ?? "") else { throw PageRefusal.noSuchPlace }
        let below = survey.folders(below: TimelineSurvey.Folder(root: root.id, path: path))
        return .json(Folders(folders: below.map { Self.folder($0, of: root, in: survey) }))
    }

    private static func folder(_ folder: TimelineSurvey.Folder, of root: KnownRoot, in survey: TimelineSurvey) -> Folder
    {
        Folder(
            root: root.name, path: folder.path.inPage,
            name: folder.path.isEmpty ? root.name : FilePath(bytes: folder.path.name).display,
            count: survey.counts[folder] ?? 0, hasFolders: survey.isParent(folder))
    }

    private struct Duplicates: Encodable {
        let schema = "gallery-sync/duplicates/1"
        /// All contents that several files have.
        let count: Int
        /// Bytes of all these files, except one of each content.
        let bytes: Int64
        let sets: [Copies]
    }

    private struct Copies: Encodable {
        let size: Int64
        let count: Int
        let files: [Copy]
    }

    private struct Copy: Encodable {
        let id: String
        let name: String
        let path: String
        let state: String
        let kind: String
        let taken: Int64
        let hash: String?
    }

    /// Sets that one answer has at most.
    private static let setLimit = 100

    /// Contents that several files have, from the request's offset on.
    func duplicates(_ request: Request) async throws -> Response {
        let query = try await TimelineQuery(request, of: contents.timeline, limit: Self.setLimit)
        let sets = try await contents.timeline.duplicates()
        var copies: [Copies] = []
        for set in sets.dropFirst(query.offset).prefix(query.count) {
            let files = try await contents.timeline.files(of: set).map { asset, location in
                Copy(
                    id: AssetIdentifier(asset.place).text, name: asset.name,
                    path: DisplayText.safe("\(location.root)/\(location.path.display)"), state: asset.standing.word,
                    kind: asset.face.kind.word, taken: asset.face.taken, hash: asset.thumbHash)
            }
            copies.append(Copies(size: set.size, count: set.count, files: files))
        }
        // Sizes come from a database that may have been edited by hand, so the sum is capped.
        let waste = sets.reduce(Int64(0)) { sum, set in
            let (more, isTooLarge) = sum.addingReportingOverflow(set.waste)
            return isTooLarge ? .max : more
        }
        return .json(Duplicates(count: sets.count, bytes: waste, sets: copies))
    }
}

extension FilePath {
    /// A folder as the page's addresses name it: as it is if it is valid text, else `~` and Base64URL of its bytes.
    init?(inPage text: String) {
        guard text.hasPrefix("~") else {
            self.init(text)
            return
        }
        guard let bytes = Base64URL.decode(text.dropFirst()) else { return nil }
        self.init(bytes: bytes)
    }

    /// As `init(inPage:)` reads it.
    var inPage: String {
        let text = String(decoding: bytes, as: UTF8.self)
        let isText = Array(text.utf8) == bytes && !text.hasPrefix("~")
        return isText ? text : "~" + Base64URL.encode(bytes)
    }
}
