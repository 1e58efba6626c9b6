import Catalog
import Gallery
import Platform
import Queue
import Records
import Simulation

/// What storage has to keep of a file, also while it is stored under a name that the file had before.
///
/// A photo that gets another name while storage cannot be reached is stored under its former one: once an agent knows the
/// new name, it may be deleted under that one, and what is stored is the last of it.
extension World {
    /// Whether storage has to keep the content of that file when it is deleted.
    func isKept(_ number: Int, _ bytes: [UInt8]) -> Bool {
        if isPromised(number, bytes) { return true }
        guard let carried = carried.value[key(number)], carried.bytes == bytes, let noticedAt = carried.noticedAt,
            let now = Simulation.current?.now
        else { return false }
        // By then a scan has seen all other files, too.
        return now - noticedAt > .seconds(history.interval + 5)
    }

    /// The content of that file, where it is stored under its own name or one that it had before.
    func keptContent(of number: Int) -> [UInt8]? {
        guard let bytes = gallery(of: number).bytes(number) else { return nil }
        return isPromised(number, bytes) || carried.value[key(number)]?.bytes == bytes ? bytes : nil
    }

    /// The content of that file, where it is stored by its name and stays stored whatever the file holds from now on.
    ///
    /// A state that was lost knows of no versions: what it finds may be what its own attempt has left.
    func keptVersion(of number: Int) -> [UInt8]? {
        guard history.keepsBoth, !isPruned.value, !isDecayed.value, !history.hasBackup,
            let bytes = gallery(of: number).bytes(number)
        else { return nil }
        return isPromised(number, bytes) ? bytes : nil
    }

    /// Whether it was promised that these bytes are stored by the name of that file.
    private func isPromised(_ number: Int, _ bytes: [UInt8]) -> Bool {
        let sha256 = SHA256.hash(bytes).hexadecimal
        return keys(of: key(number), sha256).contains { promises.value[$0] == sha256 }
    }

    /// The keys by which a file with these bytes may be stored as its owner's settings say.
    func keys(of key: String, _ sha256: String) -> [String] {
        history.keepsBoth ? [key, ObjectKey(text: key).beside(sha256).text] : [key]
    }

    /// Expects a file to bring its stored content to another name.
    func carry(_ bytes: [UInt8], to number: Int) {
        guard gallery(of: number).bytes(number) == bytes else { return }
        carry(bytes, to: key(number))
    }

    func carry(_ bytes: [UInt8], to key: String) {
        // What little room makes of such a file is not decided; and a state that was lost knows no former names.
        guard isReliable, history.budget == nil, !isDecayed.value else { return }
        carried.value[key] = Carried(bytes: bytes)
    }

    /// Keeps since when an agent knows the names of such files.
    func noteCarried() async {
        for (key, file) in carried.value.sorted(by: { $0.key < $1.key }) where file.noticedAt == nil {
            guard let root = galleries.first(where: { key.hasPrefix($0.root + "/") }) else { continue }
            let path = FilePath(String(key.dropFirst(root.root.count + 1)))
            let asset = try? await life.value.agent.value?.library.fileRecord(root: root.root, path: path)?.asset
            guard let asset, asset.sha256 == SHA256.hash(file.bytes).hexadecimal,
                ![.seen, .identifying, .gone, .remoteOnly].contains(asset.state),
                carried.value[key]?.bytes == file.bytes
            else { continue }
            carried.value[key]?.noticedAt = Simulation.current?.now
        }
    }
}
