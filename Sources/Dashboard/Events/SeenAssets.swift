import Browsing
import Catalog
import Queue
import Records
import Synchronization

/// The assets that browsers were shown lately, and what is known of them.
///
/// What one browser is told, or sees itself, may be news to another: changes are numbered, and each browser's stream
/// knows up to which number it has told them. Only these are looked at again, so that what changes elsewhere in a large
/// gallery costs nothing.
final class SeenAssets: Sendable {
    private struct State {
        var told: [Asset.Place: Told] = [:]
        /// The number by which each was shown last, and the places by such numbers, of which older ones count no more.
        var shown: [Asset.Place: Int] = [:]
        var order: [(place: Asset.Place, number: Int)] = []
        var lastShown = 0
        var revision = ""
        /// The number of the last change of each that changed.
        var changes: [Asset.Place: Int] = [:]
        var lastChange = 0

        /// The places that are looked at, each once.
        var places: [Asset.Place] { order.filter { shown[$0.place] == $0.number }.map(\.place) }

        mutating func noteShown(_ place: Asset.Place) {
            lastShown += 1
            shown[place] = lastShown
            order.append((place, lastShown))
        }

        /// Forgets those that were shown the longest ago.
        mutating func forget(beyond limit: Int) {
            var passed = 0
            while told.count > limit {
                let (place, number) = order[passed]
                passed += 1
                guard shown[place] == number else { continue }
                (told[place], changes[place], shown[place]) = (nil, nil, nil)
            }
            order.removeFirst(passed)
            // What is shown again and again is not to fill the memory.
            if order.count > 2 * limit { order = order.filter { shown[$0.place] == $0.number } }
        }

        mutating func noteChange(of place: Asset.Place) {
            lastChange += 1
            changes[place] = lastChange
        }
    }

    private struct Told: Hashable {
        let standing: Standing
        let sentence: String?

        init(_ asset: TimelineAsset) {
            (standing, sentence) = (asset.standing, asset.sentence)
        }
    }

    private static let limit = 8_192
    private static let batch = 512
    private let state = Mutex(State())

    /// Notes what a browser was just told.
    func note(_ assets: [TimelineAsset]) {
        state.withLock { state in
            for asset in assets {
                let before = state.told.updateValue(Told(asset), forKey: asset.place)
                state.noteShown(asset.place)
                if let before, before != Told(asset) { state.noteChange(of: asset.place) }
            }
            state.forget(beyond: Self.limit)
        }
    }

    /// Those of which something else is true than at the change with the number `last`, and the last one's number now.
    func changes(in timeline: Timeline, after last: Int) async throws -> (assets: [TimelineAsset], last: Int) {
        try await look(at: timeline)
        let (places, number) = state.withLock { state in
            (state.lastChange > last ? state.changes.filter { $0.value > last } : [:], state.lastChange)
        }
        let inOrder = places.sorted { $0.value < $1.value }.map(\.key)
        return (try await timeline.assets(at: inOrder), number)
    }

    /// Looks for changes where the library has any.
    private func look(at timeline: Timeline) async throws {
        var everything = TimelineFilter()
        // The revision of a filter by standing grows with every standing.
        everything.standing = .stored
        let revision = try await timeline.revision(everything)
        let places = state.withLock { $0.revision == revision ? [] : $0.places }
        for start in stride(from: 0, to: places.count, by: Self.batch) {
            let assets = try await timeline.assets(at: Array(places[start..<min(start + Self.batch, places.count)]))
            state.withLock { state in
                for asset in assets where state.told[asset.place].map({ $0 != Told(asset) }) ?? false {
                    state.told[asset.place] = Told(asset)
                    state.noteChange(of: asset.place)
                }
            }
        }
        // Only now: where a look fails, the next one sees the same.
        state.withLock { $0.revision = revision }
    }
}
