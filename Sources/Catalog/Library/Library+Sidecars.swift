import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue

// An editor's notes date the photos and videos that do not say themselves when they were taken.
extension Library {
    /// Dates the file at `place` by its sidecar or, where it is one, the files that it belongs to.
    ///
    /// Called whenever the content of a file, or what it states, is known anew.
    func dateBySidecars(at place: Asset.Place) throws {
        let companions = try Self.companions(of: place, in: database).filter { $0.companionship == .sidecar }
        if companions.contains(where: \.isOurs) { return try date(place) }
        for companion in companions { try date(Asset.Place(directory: place.directory, name: companion.name)) }
    }

    private func date(_ place: Asset.Place) throws {
        guard let own = try stated(at: place), let facts = own.facts, facts.yieldsDate else { return }
        var known = FaceFacts(facts)
        known.takenAt = try dateInSidecar(of: place)?.timeIntervalSince1970 ?? known.takenAt
        guard let face = TimelineFace(known, modifiedAt: own.modifiedAt) else { return }
        try write(
            "UPDATE assets SET taken = ?, dated = ? WHERE directory = ? AND name = ?", Value(face.taken),
            Value(face.isDated), .integer(place.directory), .blob(place.name))
    }

    /// The date in the sidecar of the file at `place`: `IMG_1.CR2.xmp` before `IMG_1.xmp`, which may be of another file.
    private func dateInSidecar(of place: Asset.Place) throws -> Date? {
        let sidecars = try Self.companions(of: place, in: database).filter { $0.companionship == .sidecar && $0.isOurs }
        for sidecar in sidecars.sorted(by: { $0.name.count > $1.name.count }) {
            let place = Asset.Place(directory: place.directory, name: sidecar.name)
            if let date = try stated(at: place)?.facts?.takenAt { return date }
        }
        return nil
    }

    /// What the content of the file at `place` states, as far as it was read.
    private func stated(at place: Asset.Place) throws -> (facts: MediaFacts?, modifiedAt: FileTime)? {
        let row = try database.first(
            """
            SELECT c.facts, a.mtime FROM assets a JOIN contents c ON c.sha256 = a.sha256
            WHERE a.directory = ? AND a.name = ?
            """, .integer(place.directory), .blob(place.name)
        ) { ($0.textOrNil(0), FileTime(nanoseconds: $0.integer(1))) }
        return try row.map { row in
            (try row.0.map { try JSONDecoder().decode(MediaFacts.self, from: Data($0.utf8)) }, row.1)
        }
    }
}

extension FaceFacts {
    init(_ facts: MediaFacts) {
        self.init(
            type: facts.type, isSound: facts.kind == .audio,
            takenAt: facts.takenAtSource == .file ? nil : facts.takenAt?.timeIntervalSince1970, width: facts.width,
            height: facts.height, duration: facts.duration)
    }
}
