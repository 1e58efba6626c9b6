import Catalog
import Configuration
import FoundationEssentials
import MediaModel
import Platform
import Providers
import Queue
import Records
import Rescue
import Roots
import Supabase
import Sync
import Text
import Uploading

extension Agent {
    /// Looks for the receipt of a rescued file; a file that the library does not know goes to the stages.
    ///
    /// - Parameter waitsForPicture: Whether a row with a column for the thumbnail's link waits for that thumbnail.
    /// - Returns: Whether anything about the file changed.
    func settleRescued(_ place: JobPlace, waitsForPicture: Bool = true) async throws -> Bool {
        guard let (job, file) = await rescuer.look(place), let path = file.path else { return false }
        let (root, below) = try await adopt(setup.rescue.folder)
        let full = below.appending(path)
        // Read before the record, because an item leaves the queue only after its receipt is written.
        let pictures = job.row?.thumbnailColumn == nil ? [] : await pictureItems(of: full, in: root)
        let record = try await library.fileRecord(root: root.name, path: full)
        switch RescuedFinding(record, of: file, destination: setup.destination.name) {
        case .stored(let receipt):
            let picture = RescuedPicture(
                record, items: pictures, destination: setup.destination.name, areMade: setup.workers != nil,
                since: receipt.verifiedAt, now: setup.clock())
            // The row is updated only once, so it waits for the thumbnail.
            if waitsForPicture, job.row?.thumbnailColumn != nil, picture.isComing { return false }
            let isPublic = await isPublic()
            let url = storedURL(receipt.key.text, isPublic)
            let pictureURL = picture.receipt.map { storedURL($0.key.text, isPublic) }
            try await rescuer.change(place) { file in
                file.stored(as: receipt.key.text, url, at: receipt.verifiedAt)
                file.thumbnailURL = pictureURL
                file.thumbnailKey = picture.receipt?.key.text
                file.thumbnailNote = job.row?.thumbnailColumn == nil ? nil : picture.absence
            }
            activity.events.noteRescued()
            rescuer.notify()
            return true
        case .troubled(let failure):
            guard file.failure != failure else { return false }
            try await rescuer.change(place) { $0.failure = failure }
            return true
        case .waiting:
            return false
        case .unknown:
            return try await admit(place, at: full, in: root)
        }
    }

    /// Writes the file into the library as one that the user named.
    private func admit(_ place: JobPlace, at path: FilePath, in root: Root) async throws -> Bool {
        let observation: Observation?
        switch await root.look(at: path) {
        case .success(let seen): observation = seen
        case .failure(let error):
            // A disk that is away or does not answer says nothing about the file, so the next look asks again.
            setup.log.debug("Not looked for: \(error)")
            return false
        }
        guard let observation else {
            let words = "The file was taken from \(setup.rescue.folder.display) before it was stored"
            try await rescuer.change(place) {
                $0.lost(Item.Failure(code: .rescue(.gone), message: words, retryable: false))
            }
            return true
        }
        _ = try await library.merge(observation, at: path, root: root.known.id, origin: .named, now: setup.clock())
        try await library.commit()
        wake.notify()
        return false
    }

    /// The thumbnails of the file at `path` that are in the queue and not stored yet.
    private func pictureItems(of path: FilePath, in root: Root) async -> [Item] {
        let original = ObjectKey(prefix: setup.keyPrefix, root: root.name, path: path)
        var items: [Item] = []
        for size in setup.settings.thumbnails.sizes {
            for format in ThumbnailFormat.stored {
                let key = ObjectKey(thumbnail: size, of: original, prefix: setup.keyPrefix, format: format)
                if let item = await queue.item(at: key.place(in: setup.destination.bucket)) { items.append(item) }
            }
        }
        return items
    }

    /// Whether the bucket is public; one whose settings cannot be read counts as private.
    private func isPublic() async -> Bool {
        guard setup.settings.destination.allowPublicBucket else { return false }
        return (try? await storage.bucket(setup.destination.bucket).isPublic) == true
    }

    /// The object's URL: the public one in a public bucket, else the one for signed-in users.
    private func storedURL(_ key: String, _ isPublic: Bool) -> String {
        let bucket = setup.destination.bucket
        return isPublic
            ? storage.publicURL(bucket: bucket, key: key) : storage.authenticatedURL(bucket: bucket, key: key)
    }
}
