import Browsing
import Catalog
import Formats
import MediaModel
import Platform
import Queue
import Records
import Roots
import Serving
import Sync
import Uploading

/// One asset: what is known of it, its picture, its bytes.
struct AssetRoutes: Sendable {
    let contents: PageContents
    let host: any PageHost

    /// Everything that is known about it.
    func details(_ id: Substring) async throws -> Response {
        let details = try await find(id)
        let asset = details.record.asset
        var reasons: [String] = []
        if let root = contents.roots[asset.root] {
            reasons = try await host.reasons(for: root.known.path.appending(asset.path))
        }
        let isHere = await open(asset) != nil
        let absence = isHere ? nil : try await absence(of: details.record)
        return .json(AssetDocument(details, reasons: reasons, isHere: isHere, absence: absence))
    }

    /// Why a file that is not here cannot be shown now; `nil` if storage has it.
    private func absence(of record: FileRecord) async throws -> String? {
        do {
            try await stored(record).check()
            return nil
        } catch let refusal as PageRefusal {
            return refusal.message
        }
    }

    /// The file as storage has it; throws `PageRefusal` where it was never stored.
    private func stored(_ record: FileRecord) throws(PageRefusal) -> StoredOriginal {
        guard let receipt = record.receipts.first(where: { $0.role == .original }) else {
            throw .absent("The file is not on this computer now.", next: "Mount its disk.")
        }
        return StoredOriginal(receipt: receipt, host: host, kept: contents.kept)
    }

    /// The smallest picture that is at least as large as requested, else the largest; cached, or else from storage.
    func thumbnail(_ id: Substring, _ request: Request) async throws -> Response {
        let details = try await find(id)
        guard let sha256 = details.record.asset.sha256 else { throw Self.noPicture }
        for size in try sizes(for: request) {
            let tag = "\"\(sha256.prefix(24))-\(size)\""
            if request.headers["if-none-match"] == tag { return Self.picture(.none, nil, tag, status: 304) }
            guard let (file, format) = try await Blocking.run({ () throws(SystemError) in try cached(sha256, size) })
            else { continue }
            return Self.picture(.file(file, offset: 0, length: try file.facts().size), format, tag)
        }
        guard let receipt = Self.picture(of: details.record),
            let bytes = try await host.reachable(receipt, count: receipt.size)
        else { throw Self.noPicture }
        return Self.picture(.bytes(bytes), receipt.key.thumbnailFormat, "\"\(receipt.sha256.prefix(24))\"")
    }

    /// The newest stored picture of the largest size; `nil` if making it failed: a stored one shows older bytes.
    static func picture(of record: FileRecord) -> Receipt? {
        guard record.pictures != .failed, let size = record.receipts.compactMap(\.role.thumbnailSize).max() else {
            return nil
        }
        return record.receipts.first { $0.role == .thumbnail(size) }
    }

    /// The pictures of several assets, each chosen as by `thumbnail` but only from the cache, concatenated in one body.
    ///
    /// The header `X-Pictures` has the length and type of each; 0 for a picture that is not in the cache.
    func thumbnails(_ request: Request) async throws -> Response {
        let ids = (request.queryItem("ids") ?? "").split(separator: ",").map { AssetIdentifier($0)?.place }
        let places = ids.compactMap(\.self)
        guard places.count == ids.count, (1...Self.pictureLimit).contains(ids.count) else {
            throw PageRefusal.unreadable("\"ids\" of this address are not 1 to \(Self.pictureLimit) files.")
        }
        let assets = try await contents.timeline.assets(at: places)
        let hashes = Dictionary(assets.map { ($0.place, $0.sha256) }, uniquingKeysWith: { one, _ in one })
        let sizes = try sizes(for: request)
        let (bytes, parts) = try await Blocking.run { () throws(SystemError) in
            var (bytes, parts): ([UInt8], [String]) = ([], [])
            for place in places {
                let picture = try hashes[place].flatMap(\.self).flatMap { sha256 throws(SystemError) in
                    try firstCached(sha256, sizes)
                }
                guard let (file, format) = picture else {
                    parts.append("0")
                    continue
                }
                let read = try file.read(at: 0, upTo: Int(try file.facts().size))
                bytes += read
                parts.append("\(read.count) \(format.type.rawValue)")
            }
            return (bytes, parts)
        }
        return Response(
            status: 200,
            headers: [
                "content-type": "application/octet-stream", "cache-control": "no-store",
                "x-pictures": parts.joined(separator: ","),
            ], body: .bytes(bytes))
    }

    private static let pictureLimit = 64

    /// All sizes in the order in which a picture is looked for: those large enough, the smallest first, then others.
    private func sizes(for request: Request) throws(PageRefusal) -> [Int] {
        let wanted = try TimelineQuery.value("size", request) { Int(digits: $0) } ?? contents.sizes.first ?? 512
        return contents.sizes.filter { $0 >= wanted } + contents.sizes.filter { $0 < wanted }.reversed()
    }

    private func firstCached(
        _ sha256: String, _ sizes: [Int]
    ) throws(SystemError) -> (file: OpenFile, format: ThumbnailFormat)? {
        for size in sizes { if let picture = try cached(sha256, size) { return picture } }
        return nil
    }

    /// The picture in the cache, opened; `nil` also if it was evicted just now; blocks.
    private func cached(
        _ sha256: String, _ size: Int
    ) throws(SystemError) -> (file: OpenFile, format: ThumbnailFormat)? {
        guard let place = try contents.thumbnails.place(of: sha256, size: size) else { return nil }
        do throws(SystemError) {
            return (try OpenFile(reading: place.path), place.format)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    private static func picture(
        _ body: Response.Body, _ format: ThumbnailFormat?, _ tag: String, status: Int = 200
    ) -> Response {
        Response(
            status: status,
            headers: [
                "content-type": (format ?? .jpeg).type.rawValue, "etag": tag,
                "cache-control": "private, max-age=31536000, immutable",
            ], body: body)
    }

    private static let noPicture = PageRefusal.absent(
        "There is no thumbnail of this file.", next: "The next sync makes it, where it can be decoded.")

    /// The bytes of the file, or the requested range; from this disk, else from storage.
    func original(_ id: Substring, _ request: Request) async throws -> Response {
        let details = try await find(id)
        return try await bytes(of: details.record, details.type, request)
    }

    /// The movie of a Live Photo, or the clip within a motion photo, with ranges like an original.
    func motion(_ id: Substring, _ request: Request) async throws -> Response {
        let details = try await find(id)
        switch details.shown.motion {
        case .movie:
            guard let record = try await contents.timeline.motionRecord(of: details.shown.place) else {
                throw Self.still
            }
            return try await bytes(of: record, nil, request)
        case .clip(let clip): return try await bytes(of: details.record, .mp4, request, within: clip)
        case nil: throw Self.still
        }
    }

    private static let still = PageRefusal.absent("Nothing moves in this picture.", next: "Reload the page.")

    /// The bytes of a file, or of the clip within it.
    private func bytes(
        of record: FileRecord, _ type: MediaType?, _ request: Request, within clip: EmbeddedClip? = nil
    ) async throws -> Response {
        let path = record.asset.path
        let delivery = OriginalDelivery(request, name: path.name, type: type ?? path.claimedType)
        if let (file, facts) = await open(record.asset) {
            let part = try Self.part(clip, of: facts.size)
            let tag = "\"\(facts.size)-\(facts.modifiedAt.nanoseconds)\""
            return delivery.answer(size: Int64(part.count), tag: tag) { range in
                .file(file, offset: part.lowerBound + range.lowerBound, length: Int64(range.count))
            }
        }
        let stored = try stored(record)
        try await stored.check()
        let part = try Self.part(clip, of: stored.receipt.size)
        return delivery.answer(size: Int64(part.count), tag: "\"\(stored.receipt.sha256.prefix(24))\"") { range in
            let shifted = range.lowerBound + part.lowerBound..<range.upperBound + part.lowerBound
            return .stream(length: Int64(range.count), next: StoredBytes(shifted, of: stored).next)
        }
    }

    /// The range of a clip in a file of `size` bytes, or of the whole file; throws if the file has become too short.
    private static func part(_ clip: EmbeddedClip?, of size: Int64) throws(PageRefusal) -> Range<Int64> {
        guard let clip else { return 0..<size }
        let (start, length) = (Int64(clip.offset), Int64(clip.length))
        guard start <= size, length <= size - start else { throw still }
        return start..<start + length
    }

    private func find(_ id: Substring) async throws -> AssetDetails {
        guard let id = AssetIdentifier(id), let details = try await contents.timeline.details(of: id.place) else {
            throw PageRefusal.absent("This file is not in the gallery any more.", next: "Reload the page.")
        }
        return details
    }

    /// The file below its root, opened without following a symlink; `nil` if it is not there.
    private func open(_ asset: Asset) async -> (OpenFile, FileFacts)? {
        guard let root = contents.roots[asset.root] else { return nil }
        return await Blocking.run {
            do throws(SystemError) {
                let file = try root.open(asset.path)
                let facts = try file.facts()
                return facts.kind == .file ? (file, facts) : nil
            } catch {
                return nil
            }
        }
    }
}

extension FilePath {
    /// The type that the file's name implies; `nil` if it implies none.
    fileprivate var claimedType: MediaType? { MediaIdentity(header: [], fileExtension: fileExtension)?.type }
}
