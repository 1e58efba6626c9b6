import Platform
import Records
import Restoring
import Simulation

/// A computer that is lost with its files, and another one that gets them back from storage.
extension World {
    /// Loses every file whose disk is there.
    func loseFiles() throws {
        touches.value += 1
        for root in galleries where root.isPresent { try root.lose() }
    }

    /// Restores what was lost, as the user of a new computer does before the first agent starts there.
    func restoreLost() async throws {
        let lost = galleries.filter(\.isLost)
        guard !lost.isEmpty else { return }
        // No request of the lost computer is on its way when another one is there.
        if history.mayBeLate {
            try? await Task.sleep(for: .seconds(RoughLine.longest))
        }
        let selection = RestoreSelection(paths: lost.map { FilePath($0.root) })
        let promised = promises.value.filter { key, _ in lost.contains { key.hasPrefix($0.root + "/") } }
        var isComplete = false
        for attempt in 0..<Self.mostRestores where !isComplete && !isOver.value {
            isComplete = await isRestored(selection, isLast: attempt >= Self.enoughRestores)
            if !isComplete { try? await Task.sleep(for: .seconds(10)) }
        }
        try Simulation.outside { for root in lost { try root.takeRestored() } }
        let present = Dictionary(uniqueKeysWithValues: files.map { ($0.key, $0.sha256) })
        let contents = Set(present.values)
        let places = files.map(\.place)
        func mayLack(_ key: String, _ sha256: String) -> Bool {
            guard !contents.contains(sha256) else { return true }
            guard let file = place(ofKey: key) else { return false }
            return isObstructed(FilePath(file.root).appending(file.path), by: places)
        }
        if isComplete, isReliable {
            for (key, sha256) in promised.sorted(by: { $0.key < $1.key }) where !mayLack(key, sha256) {
                blame("\(key) was stored, and a new computer does not get it")
            }
            for (key, bytes) in legacy.value.sorted(by: { $0.key < $1.key }) {
                guard lost.contains(where: { key.hasPrefix($0.root + "/") }),
                    !mayLack(key, SHA256.hash(bytes).hexadecimal)
                else { continue }
                blame("\(key), deleted, was stored, and a new computer does not get it")
            }
        }
        promises.value = promises.value.filter { promised[$0.key] == nil || present[$0.key] == $0.value }
        // What was stored of deleted files, and of former names, is again a file.
        legacy.value = legacy.value.filter { !contents.contains(SHA256.hash($0.value).hexadecimal) }
        carried.value = carried.value.filter { !contents.contains($0.value.sha256) }
    }

    /// How many times the user tries while storage cannot be reached.
    static let mostRestores = 100

    /// How many times the user tries at least while some files do not come.
    private static let enoughRestores = 5

    /// Restores everything beside the gallery, and copies what is missing there; says how many files.
    func broughtBack() async throws -> String {
        let back = folder.appending("back")
        try Simulation.outside { try Directory.removeTree(at: back) }
        let selection = RestoreSelection(paths: galleries.map { FilePath($0.root) })
        let result = try await restored(over: lineOfUser, to: back, only: selection)
        let present = Set(files.map(\.place))
        let missing = try Simulation.outside { try restoredFiles(below: back).keys.sorted() }.filter { place in
            !present.contains(place) && !place.display.hasSuffix(".part")
        }
        for place in missing {
            let names = place.components
            let name = FilePath(bytes: Array(names.dropFirst().joined(separator: [UInt8(ascii: "/")])))
            guard let root = galleries.first(where: { $0.root.utf8.elementsEqual(names[0]) }), root.isPresent,
                root.obstacles(to: name).isEmpty, !Neighbour.stores(root.key(name))
            else { continue }
            try Simulation.outside { touch(root.key(name), try root.bringBack(name, from: back.appending(place))) }
        }
        return "\(missing.count) of \(result.restored) brought back"
    }

    /// The line of a program that no crash of the agent ends.
    private var lineOfUser: RoughLine {
        RoughLine(
            far: storage, probability: { [self] in probability($0) }, isCut: isOver,
            reach: { [self] in if !isCalm.value { reach($0) } }, begins: { _, _ in }, takes: { _, _, _ in },
            ends: { _, _, _ in })
    }

    /// Whether a restore brought everything, or with the last attempt everything that it can bring.
    private func isRestored(_ selection: RestoreSelection, isLast: Bool) async -> Bool {
        do {
            let result = try await restored(over: lineOfUser, to: folder, only: selection)
            note("restored \(result.restored) for a new computer: \(result.ending)")
            switch result.ending {
            case .done: return true
            case .someFailed: return isLast
            default: return false
            }
        } catch {
            note("restoring for a new computer failed: \(error)")
            return false
        }
    }
}
