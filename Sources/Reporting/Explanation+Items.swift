import Queue

extension Explanation {
    /// What the open items of a file wait for; a cause that several items share is told once.
    ///
    /// - Parameter wall: An item whose cause stops everything that is due.
    static func waits(_ items: [Item], behind wall: Item?) -> [String] {
        var told: Set<String> = []
        return items.flatMap { item in
            let waiting = item.isDue ? wall ?? item : item
            guard let blocked = waiting.blocked else { return troubles(item) }
            let (what, error) = (item.role.subject, waiting.lastError)
            let cause = error?.message ?? BlockedTitle.of(blocked.rawValue)
            guard told.insert(cause).inserted else { return ["\(what) waits for the same."] }
            let next = NextStep.after(blocked: blocked.rawValue, code: error?.code)
            return [sentence("\(what) waits: \(cause)")] + [NextStep.remaining(next, after: cause)].compactMap(\.self)
        }
    }

    /// The failures of an item that waits for no outside cause; for an original, the asset tells its failure.
    private static func troubles(_ item: Item) -> [String] {
        guard let error = item.lastError, item.status == .pending || item.status == .failed && item.role != .original
        else { return [] }
        let verb = item.status == .failed ? "failed" : "failed so far"
        return [sentence("\(item.role.subject) \(verb): \(error.message)")]
    }

    private static func sentence(_ text: String) -> String { Sentence.text(text, next: "") }
}

extension Item.Role {
    /// The object that the item sends, as the start of a sentence about its file.
    var subject: String {
        if self == .original { return "The file" }
        return thumbnailSize.map { "Its thumbnail of \($0) pixels" } ?? "Its thumbnail"
    }
}
