package import Queue

/// What the timeline shows about an asset: its states, as far as a viewer can tell them apart.
///
/// The numbers are those of the column `standing`, which triggers keep (`Schema+Timeline`).
package enum Standing: Int64, NamedByWord, Sendable {
    case stored = 0
    /// On its way to storage.
    case waiting = 1
    /// It could not be stored or read.
    case failed = 2
    /// Its file is gone; its object stays.
    case remote = 3
    /// The brake holds it.
    case held = 4
    /// Not to be sent by itself: it was cancelled, its root is stored on request only, or a rule leaves it out now.
    case ignored = 5

    /// The standing of an asset in that state; `nil` where the timeline does not show it.
    ///
    /// What is only in storage as far as the walks know is `ignored` where a rule keeps them from its file.
    package init?(_ state: Asset.State) {
        switch state {
        case .stored: self = .stored
        case .seen, .identifying, .queued: self = .waiting
        case .failed, .unreadable: self = .failed
        case .remoteOnly: self = .remote
        case .held: self = .held
        case .excluded, .indexed: self = .ignored
        case .gone, .ignored: return nil
        }
    }
}
