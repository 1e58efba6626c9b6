import Catalog
package import Platform
package import Queue
package import Records
package import Roots
import Synchronization

/// The assets of a gallery, newest first, each found by its offset; read-only.
///
/// No single query looks at more than a month, so that the library's thread is soon free for the next reader.
package final class Timeline: Sendable {
    private let library: Library
    /// The days that were found by searching all names, for the last few texts.
    private let searched = Mutex<[(filter: TimelineFilter, revision: String, days: [TimelineSpan])]>([])
    private let surveyed = Mutex<(revision: String, survey: TimelineSurvey)?>(nil)
    private let compared = Mutex<(revision: String, sets: [DuplicateSet])?>(nil)

    /// The most assets that one query returns.
    private static let sliceLimit = 16_384
    /// The most assets that are read before another reader gets its turn.
    private static let lookLimit = 128
    private static let searchLimit = 4

    /// The timeline of `library`, which must be its own: another user's queries would have to wait for its own.
    init(_ library: Library) {
        self.library = library
    }

    /// Opens the library at `path` for reading; throws `OutdatedLibrary` if it is of an earlier version.
    package convenience init(at path: FilePath) async throws {
        let library = try Library(path: path, isReadOnly: true)
        guard try await library.hasTimeline else { throw OutdatedLibrary() }
        self.init(library)
    }

    /// A text that changes whenever an offset may mean another asset.
    package func revision(_ filter: TimelineFilter) async throws -> String {
        try await library.timelineRevision(filter)
    }

    /// The days with assets of `filter`, the newest first.
    package func days(_ filter: TimelineFilter) async throws -> [TimelineSpan] {
        guard filter.isSearch else { return try await library.days(filter) }
        let revision = try await revision(filter)
        let known = searched.withLock { $0.first { $0.filter == filter && $0.revision == revision }?.days }
        if let known { return known }
        var days: [TimelineSpan] = []
        for month in try await library.days(filter).months {
            try Task.checkCancellation()
            days += try await library.days(filter, in: month)
        }
        searched.withLock { searched in
            searched.removeAll { $0.filter == filter }
            searched.append((filter, revision, days))
            searched.removeFirst(max(0, searched.count - Self.searchLimit))
        }
        return days
    }

    /// The ratios of `count` assets from `offset` on, a byte each; fewer at the end.
    package func ratios(_ filter: TimelineFilter, from offset: Int, count: Int) async throws -> [UInt8] {
        var ratios: [UInt8] = []
        for slice in try await slices(filter, offset, count) { ratios += try await library.ratios(filter, slice) }
        return ratios
    }

    /// `count` assets from `offset` on; fewer at the end.
    package func assets(_ filter: TimelineFilter, from offset: Int, count: Int) async throws -> [TimelineAsset] {
        var assets: [TimelineAsset] = []
        for slice in try await slices(filter, offset, count) {
            assets += try await self.assets(at: try await library.places(filter, slice))
        }
        return assets
    }

    /// What is known now about the assets at `places`, without those that are no longer shown.
    package func assets(at places: [Asset.Place]) async throws -> [TimelineAsset] {
        var assets: [TimelineAsset] = []
        for start in stride(from: 0, to: places.count, by: Self.lookLimit) {
            assets += try await library.timelineAssets(at: Array(places[start...].prefix(Self.lookLimit)))
        }
        return assets
    }

    /// Everything that is known about one asset; `nil` if the library does not know it.
    package func details(of place: Asset.Place) async throws -> AssetDetails? { try await library.details(of: place) }

    /// What is known about the movie that is shown with the photo at `place`; `nil` without one.
    package func motionRecord(of place: Asset.Place) async throws -> FileRecord? {
        try await library.motionRecord(of: place)
    }

    /// How many movies are shown with their photos, and not by themselves.
    package func motionCount() async throws -> Int { try await library.motionCount() }

    /// Where the files at `places` lie, without those unknown to the library; for a Live Photo both of its files.
    package func locations(of places: [Asset.Place]) async throws -> [RootedPath] {
        try await library.locations(of: places)
    }

    /// The name of the root that each place lies below; `nil` where the library does not know it.
    package func roots(of places: [Asset.Place]) async throws -> [String?] { try await library.roots(of: places) }

    /// How many assets the timeline shows, by standing, root and kind.
    package func counts(in days: ClosedRange<Int>? = nil) async throws -> [TimelineCount] {
        try await library.timelineCounts(in: days)
    }

    /// How many assets each folder and each camera has, as of the last change of the timeline's order.
    package func survey() async throws -> TimelineSurvey {
        let revision = try await revision(TimelineFilter())
        if let known = surveyed.withLock({ $0 }), known.revision == revision { return known.survey }
        var survey = TimelineSurvey(
            cameras: try await library.cameraNames(), folders: try await library.folders())
        for month in try await library.days(TimelineFilter()).months {
            try Task.checkCancellation()
            survey.add(try await library.tallies(in: month))
        }
        surveyed.withLock { [survey] in $0 = (revision, survey) }
        return survey
    }

    /// The row of the camera called `name`; `nil` where no asset has it.
    package func camera(named name: String) async throws -> Int64? { try await library.cameraRow(named: name) }

    /// Contents that several files have, sorted by how much could be saved.
    package func duplicates() async throws -> [DuplicateSet] {
        let revision = try await revision(TimelineFilter())
        if let known = compared.withLock({ $0 }), known.revision == revision { return known.sets }
        var sets: [DuplicateSet] = []
        for part in 0..<UInt8(DuplicateSet.parts) {
            try Task.checkCancellation()
            sets += try await library.duplicateSets(part)
        }
        sets.sort { ($0.waste, $0.sha256) > ($1.waste, $1.sha256) }
        compared.withLock { [sets] in $0 = (revision, sets) }
        return sets
    }

    /// The files that have the content of `set`, and where they lie.
    package func files(of set: DuplicateSet) async throws -> [(asset: TimelineAsset, location: RootedPath)] {
        try await library.files(of: set)
    }

    /// All roots.
    package func roots() async throws -> [KnownRoot] { try await library.roots() }

    private func slices(_ filter: TimelineFilter, _ offset: Int, _ count: Int) async throws -> [MonthSlice] {
        MonthSlice.slices(of: try await days(filter).months, from: offset, count: count, limit: Self.sliceLimit)
    }
}

/// The library was last written by a version that had no timeline.
package struct OutdatedLibrary: Error, CustomStringConvertible {
    /// What to do.
    package var description: String {
        "The library was written by an earlier version: run \"gallery-sync sync\" once, which brings it up to date"
    }
}
