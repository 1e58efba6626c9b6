import Catalog
import Gallery
import Platform
import Queue
import Records
import Simulation

/// Facts that an agent has noticed or was told, and must therefore respect.
extension World {
    /// Records when an agent first knows which files are deleted.
    func noteMissed() async {
        for key in legacy.value.keys.sorted() where missed.value[key] == nil {
            guard let place = place(ofKey: key) else { continue }
            let life = life.value
            // At another destination nothing tells a file that gets the name from the one that was deleted.
            guard !life.isElsewhere.value else { return }
            let record = try? await life.agent.value?.library.fileRecord(root: place.root, path: place.path)
            // A file that was never stored under its last name counts as gone. What an agent that dies meanwhile knew may
            // not be durable.
            guard let state = record?.asset.state, [.remoteOnly, .gone].contains(state), legacy.value[key] != nil,
                !life.isCut.value
            else { continue }
            missed.value[key] = Simulation.current?.now
        }
    }

    /// Records which files the user has left out; none is sent until it changes or an order asks for it.
    ///
    /// A file that is being sent at that moment may still be sent, and a decayed queue may still have its item.
    func noteCancelled(_ agent: Agent) async {
        guard !isCalm.value, !history.has(Deed.Order.sending) else { return }
        let open = await agent.queue.all().filter(\.isOpen).map { StorageModel.bare($0.objectKey.text) }
        for file in files where !open.contains(file.key) {
            let before = touches.value
            let record = try? await agent.library.fileRecord(root: file.root.root, path: file.name)
            guard record?.asset.state == .excluded, touches.value == before, !isDecayed.value, !isCalm.value
            else {
                continue
            }
            cancelled.value[file.key] = file.sha256
        }
    }
}
