import Catalog
import Gallery
import Platform
import Queue
import Records
import Simulation

/// Contents that storage must keep, even those stored under a name that their file had before.
///
/// A photo that is renamed while storage is unreachable is stored under its former name. Once an agent knows the new
/// name, the photo may be deleted under it, and the stored content is then the last copy.
extension World {
    /// Whether storage must keep the content of that file when the file is deleted.
    func isKept(_ number: Int, _ bytes: [UInt8]) -> Bool {
        if isPromised(number, bytes) { return true }
        guard let carried = carried.value[key(number)], carried.bytes == bytes, let noticedAt = carried.noticedAt,
            let now = Simulation.current?.now
        else { return false }
        // After this time, a scan has seen all other files as well.
        return now - noticedAt > .seconds(history.interval + 5)
    }

    /// The content of that file, if it is stored under its name or a former one.
    func keptContent(of number: Int) -> [UInt8]? {
        guard let bytes = gallery(of: number).bytes(number) else { return nil }
        return isPromised(number, bytes) || carried.value[key(number)]?.bytes == bytes ? bytes : nil
    }

    /// The content of that file, if it is stored under its name and must stay stored whatever the file contains later.
    ///
    /// A lost state knows no versions, because it may take an object for a leftover of its own attempt.
    func keptVersion(of number: Int) -> [UInt8]? {
        guard history.alwaysKeepsBoth, !isPruned.value, !isDecayed.value, !history.forgets,
            let bytes = gallery(of: number).bytes(number)
        else { return nil }
        return isPromised(number, bytes) ? bytes : nil
    }

    /// Whether it was promised that these bytes are stored under that file's name.
    private func isPromised(_ number: Int, _ bytes: [UInt8]) -> Bool {
        let sha256 = SHA256.hash(bytes).hexadecimal
        return keys(of: key(number), sha256).contains { promises.value[$0] == sha256 }
    }

    /// The keys under which a file with these bytes may be stored, by its owner's settings.
    func keys(of key: String, _ sha256: String) -> [String] {
        history.mayKeepBoth ? [key, ObjectKey(text: key).beside(sha256).text] : [key]
    }

    /// Expects a file to keep its stored content under its new name.
    func carry(_ bytes: [UInt8], to number: Int) {
        guard gallery(of: number).bytes(number) == bytes else { return }
        carry(bytes, to: key(number))
    }

    func carry(_ bytes: [UInt8], to key: String) {
        // With little room it is not defined what happens to such a file, and a lost state knows no former names.
        guard isReliable, history.budget == nil, !isDecayed.value else { return }
        carried.value[key] = Carried(bytes: bytes)
    }

    /// Records when an agent first knows the new names of such files.
    func noteCarried() async {
        for (key, file) in carried.value.sorted(by: { $0.key < $1.key }) where file.noticedAt == nil {
            guard let place = place(ofKey: key) else { continue }
            let life = life.value
            guard !life.isElsewhere.value else { return }
            let asset = try? await life.agent.value?.library.fileRecord(root: place.root, path: place.path)?.asset
            guard let asset, asset.sha256 == file.sha256, !life.isCut.value,
                ![.seen, .identifying, .gone, .remoteOnly].contains(asset.state),
                carried.value[key]?.bytes == file.bytes
            else { continue }
            carried.value[key]?.noticedAt = Simulation.current?.now
        }
    }
}
