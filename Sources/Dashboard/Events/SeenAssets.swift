import Browsing
import Catalog
import Queue
import Records
import Synchronization

/// The assets that browsers have recently been shown, and what they were shown of each.
///
/// A change that one browser has seen may be news to another: changes are numbered, and each browser's stream knows the
/// last number that it has sent. Only these assets are looked at again, so that changes elsewhere in a large gallery
/// cost nothing.
final class SeenAssets: Sendable {
    private struct State {
        var told: [Asset.Place: Told] = [:]
        /// The number at which each was shown last; an entry of `order` with an older number is obsolete.
        var shown: [Asset.Place: Int] = [:]
        var order: [(place: Asset.Place, number: Int)] = []
        var lastShown = 0
        var revision = ""
        /// The number of the last change of each asset that has changed.
        var changes: [Asset.Place: Int] = [:]
        var lastChange = 0

        /// The places to look at, each once.
        var places: [Asset.Place] { order.filter { shown[$0.place] == $0.number }.map(\.place) }

        mutating func noteShown(_ place: Asset.Place) {
            lastShown += 1
            shown[place] = lastShown
            order.append((place, lastShown))
        }

        /// Forgets the assets that were not shown for longest.
        mutating func forget(beyond limit: Int) {
            var passed = 0
            while told.count > limit {
                let (place, number) = order[passed]
                passed += 1
                guard shown[place] == number else { continue }
                (told[place], changes[place], shown[place]) = (nil, nil, nil)
            }
            order.removeFirst(passed)
            // Drops obsolete entries, so that showing the same assets again and again does not fill the memory.
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

    /// Notes what a browser has just been shown.
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

    /// The assets that have changed since the change with the number `last`, and the number of the latest change.
    func changes(in timeline: Timeline, after last: Int) async throws -> (assets: [TimelineAsset], last: Int) {
        try await look(at: timeline)
        let (places, number) = state.withLock { state in
            (state.lastChange > last ? state.changes.filter { $0.value > last } : [:], state.lastChange)
        }
        let inOrder = places.sorted { $0.value < $1.value }.map(\.key)
        return (try await timeline.assets(at: inOrder), number)
    }

    /// Looks for changes if the library has changed.
    private func look(at timeline: Timeline) async throws {
        var everything = TimelineFilter()
        // With a standing in the filter, the revision also changes with every standing.
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
        // Set only now, so that after a failed look the next one sees the same changes.
        state.withLock { $0.revision = revision }
    }
}
