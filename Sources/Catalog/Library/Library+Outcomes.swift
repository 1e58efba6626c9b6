import Database
import FoundationEssentials
package import MediaModel
package import Platform
package import Queue
package import Records
import Tables

/// How reading an asset ended.
package enum Reading: Hashable, Sendable {
    /// Its content is known; `next` is the state that follows, such as `queued` or `indexed`.
    ///
    /// If pictures are due, they are noted as wanted where nothing is noted about them.
    case identified(sha256: String, type: String, next: Asset.State, note: String?, arePicturesDue: Bool = false)
    /// It could not be opened or read.
    case unreadable(Item.Failure)
    /// It is no media file.
    case ignored(reason: String)
    /// It changed or vanished while it was read: it is `seen` again.
    case changed
}

extension Library {
    /// Writes down how reading `asset` ended, unless a later scan has already changed its row, or the user cancelled it.
    ///
    /// An asset that was requested again while it was read is to be read again. That no picture could be made of what
    /// the file held before says nothing about what it holds now.
    /// An upload makes an asset `stored` only with its receipt; see `record`.
    package func settle(_ asset: Asset, as reading: Reading) throws {
        switch reading {
        case .identified(let sha256, let type, let next, let note, let arePicturesDue):
            // The earlier note may have been in a commit that failed; with this one the asset may become `queued`.
            if arePicturesDue { try wantPictures(of: asset) }
            try part(asset.place)
            let face = try database.face(ofContent: sha256, type: type, modifiedAt: asset.modifiedAt)
            try write(
                """
                UPDATE assets SET state = CASE forced WHEN ?12 THEN ?5 ELSE \(asset: .seen) END,
                    forced = CASE forced WHEN ?12 THEN 0 ELSE forced END,
                    thumbnails = CASE WHEN thumbnails = \(picture: .failed) AND sha256 IS NOT ?6
                        THEN ?13 ELSE thumbnails END, sha256 = ?6, note = ?7,
                    brake = CASE forced WHEN ?12 THEN NULL ELSE brake END,
                    code = NULL, message = NULL, taken = ?8, dated = ?9, ratio = ?10, kind = ?11,
                    camera = (SELECT i.id FROM contents c JOIN cameras i ON i.name = \(Schema.camera)
                        WHERE c.sha256 = ?6)
                WHERE directory = ?1 AND name = ?2 AND size = ?3 AND mtime = ?4 AND state IN \(assets: .underWay)
                """,
                binding: Self.key(of: asset) + [
                    .integer(next.rawValue), Value([UInt8](hexadecimal: sha256)), Value(note),
                ] + Schema.values(of: face) + [
                    .integer(asset.forcedAt?.nanoseconds ?? 0),
                    .integer((arePicturesDue ? Asset.Pictures.wanted : .unwanted).rawValue),
                ])
            try write(
                "INSERT OR IGNORE INTO contents (sha256, type) VALUES (?, ?)", Value([UInt8](hexadecimal: sha256)),
                .text(type))
            try connect(asset.place)
        case .unreadable(let failure):
            try set(asset, to: .unreadable, code: failure.code.text, message: failure.message)
        case .ignored(let reason):
            try set(asset, to: .ignored, code: nil, message: reason)
        case .changed:
            try set(asset, to: .seen, code: nil, message: nil)
        }
    }

    private func set(_ asset: Asset, to state: Asset.State, code: String?, message: String?) throws {
        try write(
            """
            UPDATE assets SET state = ?5, brake = NULL, code = ?6, message = ?7
            WHERE directory = ?1 AND name = ?2 AND size = ?3 AND mtime = ?4
                AND state NOT IN \(assets: [.excluded, .held, .gone, .remoteOnly])
            """, binding: Self.key(of: asset) + [.integer(state.rawValue), Value(code), Value(message)])
    }

    static func key(of asset: Asset) -> [Value] {
        [
            .integer(asset.place.directory), .blob(asset.place.name), .integer(asset.size),
            .integer(asset.modifiedAt.nanoseconds),
        ]
    }

    /// Writes down that an original's item has ended with a receipt; ignores other items.
    package func settle(stored item: Item) throws { try settle(item, as: .stored) }

    /// Writes down that an original's item has failed; ignores other items.
    ///
    /// A file that could not be read counts as unreadable, whether it was read to identify it or to send it: the next
    /// scan tries it again.
    package func settle(failed item: Item) throws {
        try settle(item, as: item.lastError?.code.isOfAccess == true ? .unreadable : .failed)
    }

    /// Puts the asset of an original whose item ended into `state`.
    ///
    /// An item with other bytes, such as a damaged queue brings back, says nothing about the asset, which is read again
    /// because its own item may be lost.
    private func settle(_ item: Item, as state: Asset.State) throws {
        guard item.role == .original, let place = try place(root: item.root, path: item.filePath) else { return }
        let columns: [Value] = [.integer(place.directory), .blob(place.name)]
        let content = Value([UInt8](hexadecimal: item.sha256))
        try write(
            """
            UPDATE assets SET state = ?, brake = NULL, code = ?, message = ? WHERE directory = ? AND name = ?
                AND state IN \(assets: [.queued] + .failures) AND sha256 IS ?
            """,
            binding: [.integer(state.rawValue), Value(item.lastError?.code.text), Value(item.lastError?.message)]
                + columns + [content])
        try write(
            """
            UPDATE assets SET state = \(asset: .seen), code = NULL, message = NULL WHERE directory = ? AND name = ?
                AND state IN \(assets: [.queued] + .failures) AND sha256 IS NOT ?
            """, binding: columns + [content])
    }

    /// Has the asset of a failed original wait again, because its item does; it is read again if it was not read as that.
    package func waitAgain(_ item: Item) throws {
        guard item.role == .original, let place = try place(root: item.root, path: item.filePath) else { return }
        try write(
            """
            UPDATE assets SET state = CASE WHEN sha256 IS ?3 THEN \(asset: .queued) ELSE \(asset: .seen) END,
                code = NULL, message = NULL
            WHERE directory = ?1 AND name = ?2 AND state IN \(assets: .failures)
            """, .integer(place.directory), .blob(place.name), Value([UInt8](hexadecimal: item.sha256)))
    }

    /// Has the original of a withdrawn item read again, unless the file is known to be gone or changed.
    ///
    /// One that has failed was being tried again: without its item nothing else would.
    package func sendBack(_ item: Item) throws {
        guard item.role == .original, let place = try place(root: item.root, path: item.filePath) else { return }
        try write(
            """
            UPDATE assets SET state = \(asset: .seen), code = NULL, message = NULL
            WHERE directory = ? AND name = ? AND state IN \(assets: [.queued] + .failures)
            """, .integer(place.directory), .blob(place.name))
    }

    /// Has the file at `place` read again with the next commit, if it is in this state.
    func readAgain(_ place: Asset.Place, if state: Asset.State) throws {
        try write(
            "UPDATE assets SET state = \(asset: .seen) WHERE directory = ? AND name = ? AND state = ?",
            .integer(place.directory), .blob(place.name), .integer(state.rawValue))
    }

    /// Writes down what became of an asset's thumbnails, with the decoder's words where there are none.
    ///
    /// Once they are made, an earlier note, such as why there were none, holds no longer.
    package func setPictures(of place: Asset.Place, to pictures: Asset.Pictures, note: String? = nil) throws {
        try write(
            """
            UPDATE assets SET thumbnails = CASE WHEN thumbnails = \(picture: .lost) AND ?1 = \(picture: .made) THEN \(picture: .wanted) ELSE ?1 END,
                note = CASE WHEN ?1 = \(picture: .made) THEN ?2 ELSE coalesce(?2, note) END WHERE directory = ?3 AND name = ?4
            """, .integer(pictures.rawValue), Value(note), .integer(place.directory), .blob(place.name))
    }

    /// The same, together with what the content of `asset` states, as far as it was read.
    ///
    /// Facts that were written down before may have been rolled back since, and once the pictures are made, nothing reads
    /// the file again.
    package func setPictures(
        of asset: Asset, to pictures: Asset.Pictures, note: String? = nil, facts: MediaFacts?, ofContent sha256: String
    ) throws {
        if let facts { try setFacts(facts, of: sha256, in: asset) }
        try setPictures(of: asset.place, to: pictures, note: note)
    }

    /// Notes with the next commit that the file at `place` is to have a picture of this role, where it is here, was read,
    /// and has none.
    ///
    /// A file that is to be read again gets its missing thumbnails then.
    func wantPicture(_ role: Item.Role, of place: Asset.Place) throws {
        try write(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted) WHERE directory = ?1 AND name = ?2
                AND state IN \(assets: [.queued, .stored]) AND NOT EXISTS (
                    SELECT 1 FROM receipts r WHERE r.directory = ?1 AND r.name = ?2 AND r.role = ?3)
            """, .integer(place.directory), .blob(place.name), .text(role.rawValue))
    }

    /// Notes with the next commit that pictures of `asset` are to be made, unless something is noted about them.
    private func wantPictures(of asset: Asset) throws {
        try write(
            """
            UPDATE assets SET thumbnails = \(picture: .wanted)
            WHERE directory = ?1 AND name = ?2 AND size = ?3 AND mtime = ?4 AND thumbnails = \(picture: .unwanted)
                AND state NOT IN \(assets: [.excluded, .gone, .remoteOnly])
            """, binding: Self.key(of: asset))
    }

    /// Keeps the facts of the content with this hash, and shows `asset`, which has it, by them; with the next commit.
    package func setFacts(_ facts: MediaFacts, of sha256: String, in asset: Asset) throws {
        let json = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
        try write(
            """
            INSERT INTO contents (sha256, type, facts) VALUES (?1, ?2, ?3)
            ON CONFLICT (sha256) DO UPDATE SET facts = excluded.facts
            """, Value([UInt8](hexadecimal: sha256)), .text(facts.type.rawValue), .text(json))
        try show(facts, of: asset)
    }

    /// Type and facts of a content that was read before.
    package func content(_ sha256: String) throws -> (type: String, facts: MediaFacts?)? {
        let row = try database.first(
            "SELECT type, facts FROM contents WHERE sha256 = ?", Value([UInt8](hexadecimal: sha256))
        ) { ($0.text(0), $0.textOrNil(1)) }
        return try row.map { row in
            (row.0, try row.1.map { try JSONDecoder().decode(MediaFacts.self, from: Data($0.utf8)) })
        }
    }
}

extension Library {
    /// Has assets in `state` read again whose original's item is lost, as after a crash between queue and library.
    package func requeue(_ state: Asset.State, where isLost: (_ root: String, _ path: FilePath) -> Bool) throws {
        let candidates = try database.rows(
            """
            SELECT directory, name FROM assets a WHERE state = \(asset: state) AND NOT EXISTS (
                SELECT 1 FROM blocked b WHERE b.directory = a.directory AND b.name = a.name AND b.role = 'original')
            """
        ) {
            Asset.Place(directory: $0.integer(0), name: $0.blob(1))
        }
        for place in candidates {
            guard let location = try location(of: place), isLost(location.root, location.path) else { continue }
            try write(
                """
                UPDATE assets SET state = \(asset: .seen), code = NULL, message = NULL WHERE directory = ? AND name = ?
                """, .integer(place.directory), .blob(place.name))
        }
        try commit()
    }
}
