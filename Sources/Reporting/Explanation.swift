package import Catalog
package import FoundationEssentials
import MediaModel
package import Platform
package import Queue
import Records
package import Roots
import Text

/// The decisions taken about one file, in order.
package struct Explanation: Codable, Hashable, Sendable {
    /// The name and version of the JSON; raised with each incompatible change.
    package var schema = "gallery-sync/why/1"
    /// The path that was asked about, as displayed: harmless in a terminal.
    package let path: String
    /// One sentence for each decision.
    package private(set) var decisions: [String] = []
    /// The asset's state; `nil` for a file that is no asset.
    private(set) var state: String?

    /// Explains the file at the absolute `path` from the library and the queue; nothing is changed.
    ///
    /// - Parameters:
    ///   - root: The root that contains it, and the path below; `nil` if it is below no root.
    ///   - isRunning: Whether an agent is working on the queue.
    package init(
        of path: FilePath, root: (root: Root, below: FilePath)?, library: Library, items: [Item],
        isRunning: Bool = false, at now: Date = Date()
    ) async throws {
        self.path = path.display
        guard let (root, below) = root else {
            decisions = [Self.outside(path)]
            return
        }
        decisions.append("It belongs to the root \(root.name), \(root.known.path.display).")
        if !root.isConfigured {
            decisions.append(
                "The configuration does not name that root any more: it is not looked at, and what is stored of it "
                    + "stays.")
        }
        if let reason = root.rules.reason(for: below) {
            decisions.append("It is left out: \(reason).")
            // A rule that was added later removes nothing from storage.
            if let record = try await library.fileRecord(root: root.name, path: below) { explainReceipts(of: record) }
            return
        }
        if let absence = try await Self.absence(of: root, library) {
            decisions.append(Sentence.mended(absence, next: NextStep.after(blocked: Item.Blocked.away.rawValue)))
            if let record = try await library.fileRecord(root: root.name, path: below) { explainReceipts(of: record) }
            return
        }
        guard let kind = explainFile(path) else { return }
        let isPaused = try await library.isPaused(at: now)
        guard let record = try await library.fileRecord(root: root.name, path: below) else {
            guard kind == .file else { return }
            decisions.append(
                "No scan has seen it yet: \"gallery-sync sync\" looks for it, a running \"watch\" does so by itself.")
            if isPaused { decisions.append(Self.paused) }
            return
        }
        state = "\(record.asset.state)"
        let queued = items.filter { $0.root == root.name && $0.filePath == below }
        let known = Set(queued.map(\.id))
        let own = try await queued + library.blocked(of: record.asset.place).filter { !known.contains($0.id) }
        explain(record, autoUpload: root.autoUpload, isQueued: own.contains(where: \.isOpen))
        let wall = items.first { $0.status == .pending && $0.blockedCause?.isOfAll == true }
        decisions += Self.waits(own, behind: wall)
        decisions += Self.moves(
            WaitingFile(
                record, items: own.filter { wall == nil || !$0.isDue }, autoUpload: root.autoUpload,
                isPaused: isPaused, isRunning: isRunning), at: now)
    }

    /// What is said of a path in no known root.
    private static func outside(_ path: FilePath) -> String {
        switch FileFacts.likelyKind(at: path) {
        case nil: "There is no such file, and it lies in no known root."
        case .directory: "It is a directory in no known root: run \"gallery-sync sync\" on it."
        default: "It lies in no known root: run \"gallery-sync sync\" on its directory."
        }
    }

    /// Why the root was not looked at last, or is not there now; `nil` where it is, or where it is not looked at anyway.
    private static func absence(of root: Root, _ library: Library) async throws -> String? {
        guard root.isConfigured else { return nil }
        if let noted = try await library.fact(RootAbsence.fact(root.known)) { return noted }
        return await RootAbsence.ofNew(root.known.path)?.reason
    }

    /// Returns what is there now; `nil` if the path cannot be looked at, so that nothing more can be said.
    private mutating func explainFile(_ path: FilePath) -> Presence? {
        do {
            switch try FileFacts.existing(path, followingLinks: false)?.kind {
            case .file: return .file
            case nil: decisions.append("There is no such file now.")
            case .symlink: decisions.append("It is a symlink, and those are not followed.")
            case .directory: decisions.append("It is a directory: ask about a file in it.")
            case .other: decisions.append("It is left out: no file, but a pipe, a socket or a device.")
            }
            return .noFile
        } catch {
            let next = NextStep.after(code: "directory.unreadable")
            decisions.append(Sentence.text("It cannot be looked at: \(error.reason)", next: next))
            return nil
        }
    }

    /// Whether a scan can find a file at a path now.
    private enum Presence {
        case file, noFile
    }

    private mutating func explain(_ record: FileRecord, autoUpload: Bool, isQueued: Bool) {
        let asset = record.asset
        decisions.append(
            "Seen \(Self.moment(record.found)) with \(Quantity.text(bytes: asset.size)), changed "
                + "\(ISO8601.text(asset.modifiedAt)).")
        if let note = record.note { decisions.append(note.hasSuffix(".") ? note : note + ".") }
        decisions += record.companions.map(Self.sentence)
        // A run that was cut off may have queued the file without changing its state.
        let isBehind = isQueued && [.seen, .identifying].contains(asset.state)
        decisions.append(sentence(isBehind ? .queued : asset.state, record))
        if asset.state == .indexed, !autoUpload { decisions.append("Its root has autoUpload off.") }
        explainReceipts(of: record)
    }

    private mutating func explainReceipts(of record: FileRecord) {
        let asset = record.asset
        for receipt in record.receipts {
            let isFormer = receipt.role == .original && asset.state == .stored && receipt.sha256 != asset.sha256
            let subject = isFormer ? "An earlier file of its name" : receipt.role.subject
            decisions.append(
                "\(subject) is stored as \(receipt.key.text), \(Quantity.text(bytes: receipt.size)), "
                    + "verified \(Self.moment(receipt.verifiedAt)), \(receipt.proof.clause).")
            if let finding = record.findings[receipt.key] {
                decisions.append("But a look showed that \(finding.clause).")
            }
        }
    }

    private static func sentence(_ companion: Companion) -> String {
        let name = DisplayText.safe(String(decoding: companion.name, as: UTF8.self))
        return switch (companion.companionship, companion.isOurs) {
        case (.livePhoto, true): "It is a Live Photo: its movie is \(name)."
        case (.livePhoto, false): "It is the movie of the Live Photo \(name)."
        case (.sidecar, true): "An editor's notes about it are \(name)."
        case (.sidecar, false): "It is an editor's notes about \(name)."
        }
    }

    private func sentence(_ state: Asset.State, _ record: FileRecord) -> String {
        let reason = record.message.map { ": \($0)" } ?? ""
        return switch state {
        case .seen: "It waits to be read."
        case .identifying: "It is being read."
        case .queued: "It is in the queue."
        case .stored: "It is stored; SHA-256 \(record.asset.sha256 ?? "unknown")."
        case .failed: "It could not be stored\(reason)."
        case .unreadable: "It could not be read\(reason)."
        case .indexed: "It is known and not to be sent by itself."
        case .gone: "It was deleted, and storage does not have it."
        case .remoteOnly: "It was deleted here; its object stays."
        case .excluded: "It was cancelled; \"gallery-sync reupload FILE\" brings it back."
        case .ignored: "It is no media file\(reason)."
        case .held: "It changed, and the brake holds it\(reason); \"gallery-sync reupload --changed\" goes on."
        }
    }

    private static func moment(_ date: Date) -> String { ISO8601.text(date, digits: 0) }
}

extension Discrepancy.Kind {
    /// What is wrong with an object, or with its file, as a clause for people.
    fileprivate var clause: String {
        switch self {
        case .missing: "it is not there any more"
        case .different: "it has other bytes now"
        case .unreadable: "it cannot be downloaded"
        case .damaged: "the file's own bytes are other ones now, though its time is the same"
        }
    }
}

extension Receipt.Proof {
    /// How an object was proven, as a clause for people.
    var clause: String {
        switch self {
        case .md5: "proven by its MD5"
        case .multipartMD5: "proven by the MD5s of its parts"
        case .readBack: "proven by reading it back"
        case .size: "proven by its size only"
        }
    }
}
