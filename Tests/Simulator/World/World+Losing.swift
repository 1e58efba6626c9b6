import Simulation

/// Objects that others than the agent delete.
extension World {
    /// Another program deletes these objects.
    func expectLoss(of keys: [String]) {
        // An object that was moved or copied may be the only one of a deleted file.
        (isVandalized.value, legacy.value, carried.value) = (true, [:], [:])
        for key in keys { promises.value[key] = nil }
        vandalized.value.formUnion(keys)
    }

    /// The user deletes everything of this gallery from the bucket.
    func emptyBucket() async throws {
        guard storage.isUp else { return }
        let keys = try await storage.objects().keys.sorted().filter { isOfGallery($0) }
        expectLoss(of: keys)
        for key in keys {
            await storage.forget(key)
            // It may have been stored anew just before.
            expectLoss(of: [key])
        }
    }

    /// The user deletes the whole bucket, and makes it anew after some seconds, unless the agent has.
    ///
    /// Nothing else may be in it, because what other programs store must be there at the end.
    func dropBucket(seconds: Int) async throws {
        guard storage.isUp, try await storage.objects().keys.allSatisfy({ isOfGallery($0) }) else { return }
        // An upload may come in between, and a bucket that is not empty cannot be deleted.
        for _ in 0..<8 {
            try await emptyBucket()
            if try await storage.dropBucket() { break }
        }
        expectEnd(after: seconds)
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            await storage.makeBucket()
        }
    }

    private func isOfGallery(_ key: String) -> Bool {
        !storage.isForeign(key) && !Neighbour.stores(key) && galleries.contains { key.contains($0.root + "/") }
    }
}
