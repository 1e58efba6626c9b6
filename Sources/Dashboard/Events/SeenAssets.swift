import Browsing
import Catalog
import Queue
import Records
import Synchronization

/// The assets that browsers were shown lately, and what they were told of them.
///
/// Only these are looked at again, so that what changes elsewhere in a large gallery costs nothing.
final class SeenAssets: Sendable {
    private struct State {
        var told: [Asset.Place: Told] = [:]
        /// The places in the order in which they were shown; may name one twice.
        var order: [Asset.Place] = []
        var revision = ""
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
                if state.told.updateValue(Told(asset), forKey: asset.place) == nil { state.order.append(asset.place) }
            }
            let excess = state.order.count - Self.limit
            guard excess > 0 else { return }
            for place in state.order.prefix(excess) { state.told[place] = nil }
            state.order.removeFirst(excess)
        }
    }

    /// Those of which something else is true now.
    func changes(in timeline: Timeline) async throws -> [TimelineAsset] {
        var everything = TimelineFilter()
        // The revision of a filter by standing grows with every standing.
        everything.standing = .stored
        let revision = try await timeline.revision(everything)
        let places = state.withLock { state in
            defer { state.revision = revision }
            return state.revision == revision ? [] : state.order
        }
        var changed: [TimelineAsset] = []
        for start in stride(from: 0, to: places.count, by: Self.batch) {
            let assets = try await timeline.assets(at: Array(places[start..<min(start + Self.batch, places.count)]))
            state.withLock { state in
                for asset in assets where state.told[asset.place].map({ $0 != Told(asset) }) ?? false {
                    state.told[asset.place] = Told(asset)
                    changed.append(asset)
                }
            }
        }
        return changed
    }
}
