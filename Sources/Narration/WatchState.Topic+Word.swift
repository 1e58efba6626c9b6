extension WatchState.Topic {
    /// The topic's word in JSON, with its subject after a colon if it has one.
    package var word: String {
        switch self {
        case .paused: "paused"
        case .held: "held"
        case .destination: "destination"
        case .root(let name): "root:\(name)"
        case .waiting(let reason): "waiting:\(reason)"
        case .failed(let code): "failed:\(code)"
        case .brake: "brake"
        case .pictures: "pictures"
        case .lost: "rescue:lost"
        case .late: "rescue:late"
        }
    }
}
