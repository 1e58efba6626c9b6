import Database
import FoundationEssentials
import MediaModel
import Platform
import Queue
import Records
import Tables

// An editor's notes date the photos and videos that do not say themselves when they were taken.
extension Library {
    /// Connects the file at `place` with what belongs to it: a Live Photo's other half, and an editor's notes.
    ///
    /// Called whenever the content of a file, or what it states, is known anew.
    func connect(_ place: Asset.Place) throws {
        let companions = try database.companions(of: place)
        try join(place, companions)
        try dateBySidecars(at: place, companions)
    }

    /// Dates anew the files whose notes were at `places` and are gone.
    func undateBySidecars(at places: [Asset.Place]) throws {
        for place in places where Companionship.isSidecar(place.name) {
            try dateBySidecars(at: place, try database.companions(of: place))
        }
    }

    /// Dates the file at `place` by its sidecar or, where it is one, the files that it belongs to.
    private func dateBySidecars(at place: Asset.Place, _ companions: [Companion]) throws {
        let sidecars = companions.filter { $0.companionship == .sidecar }
        if sidecars.contains(where: \.isOurs) { return try date(place, by: sidecars) }
        for sidecar in sidecars {
            let dated = Asset.Place(directory: place.directory, name: sidecar.name)
            try date(dated, by: try database.companions(of: dated))
        }
    }

    private func date(_ place: Asset.Place, by companions: [Companion]) throws {
        guard let asset = try asset(at: place), let facts = try facts(of: asset), facts.yieldsDate else { return }
        var known = FaceFacts(facts)
        if let notes = try dated(sidecarAmong: companions, of: asset) {
            (known.takenAt, known.takenAtOffset) = (notes.takenAt?.timeIntervalSince1970, notes.takenAtOffset)
        }
        guard let face = TimelineFace(known, modifiedAt: asset.modifiedAt) else { return }
        try write(
            "UPDATE assets SET taken = ?, dated = ? WHERE directory = ? AND name = ?", Value(face.taken),
            Value(face.isDated), .integer(place.directory), .blob(place.name))
    }

    /// The sidecar that dates `asset`: `IMG_1.CR2.xmp` before `IMG_1.xmp`, which may be of another file.
    private func dated(sidecarAmong companions: [Companion], of asset: Asset) throws -> MediaFacts? {
        let sidecars = companions.filter { $0.companionship == .sidecar && $0.isOurs }
        for sidecar in sidecars.sorted(by: { $0.name.count > $1.name.count }) {
            let place = Asset.Place(directory: asset.place.directory, name: sidecar.name)
            // Notes that were deleted do not date a file that still exists.
            guard let notes = try self.asset(at: place), notes.state != .remoteOnly || asset.state == .remoteOnly
            else { continue }
            if let facts = try facts(of: notes), facts.takenAt != nil { return facts }
        }
        return nil
    }

    /// What the content of the file states, as far as it was read.
    private func facts(of asset: Asset) throws -> MediaFacts? { try asset.sha256.flatMap { try content($0)?.facts } }
}

extension FaceFacts {
    init(_ facts: MediaFacts) {
        self.init(
            type: facts.type, isSound: facts.kind == .audio,
            takenAt: facts.takenAtSource == .file ? nil : facts.takenAt?.timeIntervalSince1970,
            takenAtOffset: facts.takenAtOffset, width: facts.width, height: facts.height, duration: facts.duration)
    }
}
