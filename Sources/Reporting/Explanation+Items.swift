import Queue

extension Explanation {
    /// What stands in the way of a file's open items; a cause that several share is told once.
    ///
    /// - Parameter wall: An item whose cause stands in the way of everything that is due.
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

    /// What an item that nothing outside it keeps went through; the asset tells how an original failed.
    private static func troubles(_ item: Item) -> [String] {
        guard let error = item.lastError, item.status == .pending || item.status == .failed && item.role != .original
        else { return [] }
        let verb = item.status == .failed ? "failed" : "failed so far"
        return [sentence("\(item.role.subject) \(verb): \(error.message)")]
    }

    private static func sentence(_ text: String) -> String { Sentence.text(text, next: "") }
}

extension Item.Role {
    /// What is sent, as the start of a sentence about a file.
    var subject: String {
        if self == .original { return "The file" }
        return thumbnailSize.map { "Its thumbnail of \($0) pixels" } ?? "Its thumbnail"
    }
}
