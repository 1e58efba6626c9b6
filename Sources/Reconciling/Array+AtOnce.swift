extension Array where Element: Sendable {
    /// Runs `work` for all elements, at most `limit` at once, and hands each result to `take`, in the order of the array.
    ///
    /// Throws the first error in that order; by then `take` has had what comes before it, and the rest is cancelled.
    func forEach<Value: Sendable>(
        atOnce limit: Int, _ work: @escaping @Sendable (Element) async throws -> Value,
        then take: (Value) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (index: Int, result: Result<Value, any Error>).self) { group in
            var (begun, taken) = (0, 0)
            var early: [Int: Result<Value, any Error>] = [:]
            while taken < count {
                while begun < count, begun - taken < Swift.max(1, limit) {
                    group.addTask { [index = begun, element = self[begun]] in
                        do {
                            return (index, .success(try await work(element)))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                    begun += 1
                }
                if let next = early.removeValue(forKey: taken) {
                    try await take(try next.get())
                    taken += 1
                } else if let ended = try await group.next() {
                    early[ended.index] = ended.result
                }
            }
        }
    }
}
