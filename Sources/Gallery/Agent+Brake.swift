import Catalog
import FoundationEssentials
import Platform
import Queue
import Records
import Sync
import Text
import Uploading

extension Agent {
    /// Lets the brake decide about the changes that wait for it, once no scan is running.
    func decideBrake() async throws {
        guard library.mayBrake, !activity.isScanning else { return }
        switch try await library.decideBrake(at: setup.clock()) {
        case .nothing: return
        case .released: wake.notify()
        case .held(let reason):
            try await holdQueued(reason)
            wake.notify()
        }
    }

    /// Withdraws changes that were enqueued before the brake engaged and whose upload has not begun.
    ///
    /// If a crash comes in between, an asset has no item, so it is read again and held then.
    private func holdQueued(_ reason: String) async throws {
        let changed = try await library.queuedChanges()
        guard !changed.isEmpty else { return }
        // Noted before the queue forgets them: a file whose original was sent is not held, and lacks its pictures.
        let waiting = await queue.unfinished().filter { $0.isOpen && changed.contains($0.file) }
        try await library.losePictures(of: waiting)
        let withdrawn = try await uploader.withdraw(changed)
        let held = withdrawn.filter { $0.role == .original }.map(\.file)
        try await library.hold(Set(held).union(try await library.blocked(among: changed)), reason: reason)
    }
}
