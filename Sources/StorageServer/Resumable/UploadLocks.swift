/// Admits one request at a time per resumable upload; a newer request makes the earlier ones end.
actor UploadLocks {
    /// The right to work on an upload until `leave`.
    struct Turn: Sendable {
        let upload: String
        fileprivate let id: Int
        /// Ends when another request wants the upload.
        let untilWanted: AsyncStream<Void>
    }

    private struct Place {
        let id: Int
        let wanted: AsyncStream<Void>.Continuation
        var admission: CheckedContinuation<Bool, Never>?
    }

    private var lines: [String: [Place]] = [:]
    private var lastID = 0

    /// Waits for earlier requests to leave; `nil` when they have not done so after `patience`.
    func take(_ upload: String, patience: Duration = .seconds(5)) async -> Turn? {
        let (untilWanted, wanted) = AsyncStream.makeStream(of: Void.self)
        lastID += 1
        let turn = Turn(upload: upload, id: lastID, untilWanted: untilWanted)
        let isFirst = lines[upload, default: []].isEmpty
        for place in lines[upload, default: []] { place.wanted.finish() }
        lines[upload, default: []].append(Place(id: turn.id, wanted: wanted))
        if isFirst { return turn }
        return await isAdmitted(turn, within: patience) ? turn : nil
    }

    /// Admits the next request.
    func leave(_ turn: Turn) {
        remove(turn)
        let admission = lines[turn.upload]?.first?.admission
        lines[turn.upload]?[0].admission = nil
        admission?.resume(returning: true)
    }

    private func isAdmitted(_ turn: Turn, within patience: Duration) async -> Bool {
        await withTaskGroup { group in
            group.addTask { await self.admission(of: turn) }
            group.addTask {
                try? await Task.sleep(for: patience)
                await self.giveUp(turn)
                return false
            }
            // A request that is first in line by now is admitted, even when its patience ended at the same moment.
            let isAdmitted = await group.next() ?? false
            group.cancelAll()
            let other = await group.next() ?? false
            return isAdmitted || other
        }
    }

    private func admission(of turn: Turn) async -> Bool {
        await withCheckedContinuation { admission in
            guard let index = lines[turn.upload]?.firstIndex(where: { $0.id == turn.id }) else {
                return admission.resume(returning: false)
            }
            if index == 0 { return admission.resume(returning: true) }
            lines[turn.upload]?[index].admission = admission
        }
    }

    /// Ends the waiting of a turn that was not admitted; an admitted one keeps its place.
    private func giveUp(_ turn: Turn) {
        guard let line = lines[turn.upload], let index = line.firstIndex(where: { $0.id == turn.id }), index > 0
        else { return }
        remove(turn)
        line[index].admission?.resume(returning: false)
    }

    private func remove(_ turn: Turn) {
        lines[turn.upload]?.removeAll { $0.id == turn.id }
        if lines[turn.upload]?.isEmpty == true { lines[turn.upload] = nil }
    }
}
