package import Catalog
package import Configuration
package import MediaModel
package import Platform
package import Queue
package import Records
package import Roots
package import Uploading

/// Examines media files, as the media workers do; tests may use a double.
package protocol MediaExamining: Sendable {
    /// The facts and pictures of `file`; a bad file is an outcome, never an error.
    func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome
    /// Releases what is not needed, again and again, until cancelled.
    func tend() async
}

/// Stage 3: facts and pictures of an asset, from one decode, kept in library and cache.
package struct Thumbnailer: Sendable {
    let workers: any MediaExamining
    let library: Library
    let cache: ThumbnailCache
    let settings: Settings.Thumbnails
    /// The desktop's cache; `nil` where it is not filled.
    let shared: SharedThumbnails?

    /// Has pictures made by `workers`, and keeps them in `library` and `cache`.
    package init(
        workers: any MediaExamining, library: Library, cache: ThumbnailCache, settings: Settings.Thumbnails,
        shared: SharedThumbnails? = nil
    ) {
        self.shared = shared
        self.workers = workers
        self.library = library
        self.cache = cache
        self.settings = settings
    }

    /// What is known of an asset's content now.
    package struct Pictures: Sendable {
        /// The pictures that lie in the cache; may be empty.
        package var thumbnails: [CachedThumbnail]
        /// Why there are no pictures, or what is odd in the file.
        package var note: String?
        /// What the content states, as far as it was read.
        package var facts: MediaFacts?
        /// Whether there are none because the file has none to show: it holds sound alone, or an editor's notes.
        package var areUnwanted = false
        /// Whether nothing was learnt of the file, so that a later pass asks again.
        package var areOwed = false

        /// The state that is written down for them.
        package var state: Asset.Pictures {
            if areOwed { return .wanted }
            if areUnwanted { return .unwanted }
            return thumbnails.isEmpty ? .failed : .made
        }
    }

    /// Makes what is missing; throws what the library throws, and where it is cancelled.
    ///
    /// If the cache takes nothing, only the pictures are owed, and the originals go on.
    ///
    /// - Parameter open: The formats in which pictures of the file are on their way already.
    package func pictures(
        of identified: IdentifiedAsset, in root: Root, open: [Item.Role: Set<ThumbnailFormat>] = [:]
    ) async throws -> Pictures {
        let before = try await library.knownPictures(of: identified.asset.place, content: identified.sha256)
        let formats = formats(
            for: identified.asset, stored: before.formats.merging(open) { stored, open in stored.union(open) })
        let known = await existing(identified, before.facts, in: formats)
        guard identified.asset.size > 0 else { return known ?? Pictures(thumbnails: [], note: "The file is empty") }
        let sharing = await sharing(identified, in: root)
        if let known, sharing.specs.isEmpty { return known }
        let wanted = known == nil ? formats.map { settings.spec($0.size, $0.formats.first) } : []
        let job = settings.job(identified.identity.type, specs: wanted + sharing.specs)
        switch await workers.examine(identified.file, job) {
        case .examined(let facts, let thumbnails):
            let note = await share(thumbnails.filter { $0.spec.format == .png }, sharing)
            if let known { return known }
            // The file may have changed while it was decoded, so nothing is known about its bytes now.
            guard identified.asset.describes(try identified.file.facts()) else {
                return Pictures(thumbnails: [], areOwed: true)
            }
            try await library.setFacts(facts, of: identified.sha256, in: identified.asset)
            do {
                let kept = try await keep(Self.pictures(thumbnails, of: wanted), of: identified.sha256)
                return Pictures(
                    thumbnails: kept, note: facts.notes.first ?? note, facts: facts,
                    areUnwanted: kept.isEmpty && facts.kind == .audio)
            } catch let error as SystemError {
                return Pictures(
                    thumbnails: [], note: Asset.noThumbnail(cache.trouble(error)), facts: facts, areOwed: true)
            }
        case let failure:
            // A worker that was ended together with the run says nothing about the file.
            try Task.checkCancellation()
            if let known { return known }
            let areOwed = try await isPassing(failure, of: identified.sha256)
            return Pictures(thumbnails: [], note: Asset.noThumbnail(failure.reason), areOwed: areOwed)
        }
    }

    /// The pictures that were asked for, and no others, because a hostile file may have taken over the worker.
    ///
    /// A worker may choose another of the formats that are stored.
    private static func pictures(_ made: [Thumbnail], of wanted: [ThumbnailSpec]) -> [Thumbnail] {
        var sizes = Set(wanted.map(\.longSide))
        return made.filter {
            ThumbnailFormat.stored.contains($0.spec.format) && sizes.remove($0.spec.longSide) != nil
        }
    }

    /// Reads what a sidecar states, such as the date of the file that it belongs to.
    package func readSidecar(_ identified: IdentifiedAsset) async throws -> Pictures {
        let asset = identified.asset
        var sidecar = Pictures(thumbnails: [], areUnwanted: true)
        guard asset.size > 0, identified.identity.isCertain else { return sidecar }
        sidecar.facts = try await library.content(identified.sha256)?.facts
        guard sidecar.facts == nil else { return sidecar }
        switch await workers.examine(identified.file, settings.job(identified.identity.type, specs: [])) {
        case .examined(let facts, _):
            sidecar.areOwed = try !asset.describes(identified.file.facts())
            if !sidecar.areOwed { sidecar.facts = facts }
        case let failure:
            // A worker that was ended together with the run says nothing about the file.
            try Task.checkCancellation()
            sidecar.areOwed = try await isPassing(failure, of: identified.sha256)
        }
        return sidecar
    }

    /// The formats that a picture of one size may have, the best first; a new picture gets the first.
    private struct Choice: Sendable {
        let size: Int
        let formats: [ThumbnailFormat]
    }

    /// A picture that is stored, or on its way, keeps its format, so that none is stored twice when the setting changes,
    /// unless the whole file is asked for again; equal files share the picture that was made first.
    private func formats(for asset: Asset, stored: [Item.Role: Set<ThumbnailFormat>]) -> [Choice] {
        settings.sizes.map { size in
            if asset.forcedAt != nil { return Choice(size: size, formats: [settings.format]) }
            let kept = stored[.thumbnail(size)] ?? Set(ThumbnailFormat.stored)
            let others = ThumbnailFormat.stored.filter { kept.contains($0) && $0 != settings.format }
            return Choice(size: size, formats: (kept.contains(settings.format) ? [settings.format] : []) + others)
        }
    }

    /// Whether another run may make what this one could not.
    private func isPassing(_ failure: MediaOutcome, of sha256: String) async throws -> Bool {
        switch failure {
        case .unavailable: true
        // If a file has its worker killed again and again, the file itself makes memory short.
        case .killed: try await library.countKill(of: sha256) < Library.killLimit
        case .examined, .failed, .crashed, .timedOut, .outOfMemory: false
        }
    }

    private func keep(_ thumbnails: [Thumbnail], of sha256: String) async throws -> [CachedThumbnail] {
        let cache = cache
        return try await Blocking.run { () throws(SystemError) in
            var kept: [CachedThumbnail] = []
            for thumbnail in thumbnails { kept.append(try cache.keep(thumbnail, of: sha256)) }
            return kept
        }
    }

    /// Pictures of the same content that were made before, over the background that is set now.
    ///
    /// Returns none if the cache cannot be read: then they are made anew.
    private func existing(
        _ identified: IdentifiedAsset, _ facts: MediaFacts?, in formats: [Choice]
    ) async -> Pictures? {
        guard let facts, !settings.sizes.isEmpty, facts.background.map({ $0 == settings.background }) ?? true
        else { return nil }
        let cache = cache
        let found = await Blocking.run {
            formats.compactMap { choice -> CachedThumbnail? in
                for format in choice.formats {
                    let found = try? cache.existing(identified.sha256, size: choice.size, format: format)
                    if let found { return found }
                }
                return nil
            }
        }
        return found.count == formats.count ? Pictures(thumbnails: found, note: facts.notes.first, facts: facts) : nil
    }
}

// MARK: - The desktop's cache

extension Thumbnailer {
    /// What the desktop's cache lacks of one file.
    private struct Sharing {
        let path: FilePath
        let time: FileTime
        var specs: [ThumbnailSpec] = []
    }

    /// Asks for nothing if that cache cannot be read, because it is not ours and nothing depends on it.
    private func sharing(_ identified: IdentifiedAsset, in root: Root) async -> Sharing {
        var sharing = Sharing(
            path: root.known.path.appending(identified.asset.path), time: identified.asset.modifiedAt)
        guard let shared else { return sharing }
        let (path, time) = (sharing.path, sharing.time)
        do {
            sharing.specs = try await Blocking.run { () throws(SystemError) in
                try shared.wanted(for: path, modifiedAt: time)
            }
        } catch {
            sharing.specs = []
        }
        return sharing
    }

    /// Fills the desktop's cache; returns why it could not, which keeps no file from being stored.
    private func share(_ thumbnails: [Thumbnail], _ sharing: Sharing) async -> String? {
        guard let shared, !thumbnails.isEmpty else { return nil }
        do {
            try await Blocking.run { () throws(SystemError) in
                for thumbnail in thumbnails {
                    try shared.keep(thumbnail, of: sharing.path, modifiedAt: sharing.time)
                }
            }
            return nil
        } catch {
            return "Not among the desktop's thumbnails: \(error)"
        }
    }
}
