import Queue

extension FileEvent {
    /// The event for an attempt that stored nothing; `nil` if the item is tried again by itself, or this is no news.
    init?(_ item: Item, after outcome: UploadOutcome, _ next: Item?) {
        switch outcome {
        case .withdrawn: self.init(item, .withdrawn)
        case .blocked(let reason, let failure):
            // A probe that meets the same cause again is no news.
            guard item.lastError?.code != failure.code else { return nil }
            self.init(item, .held(reason, failure))
        case .verified, .sent, .notStored, .moved, .retry, .refused, .unreachable, .interrupted:
            guard let next, next.status == .failed, let failure = next.lastError else { return nil }
            self.init(next, .failed(failure))
        }
    }
}
