package import Catalog
package import Configuration
package import FoundationEssentials
package import Platform
import Queue
package import Records
import Reporting
package import Supabase
import Text
import Uploading

/// Makes URLs that give access to stored files to anyone who has them.
package struct Linker: Sendable {
    let library: Library
    let storage: StorageClient
    let destination: Destination

    /// A linker for objects that the receipts of `library` name at `destination`.
    package init(library: Library, storage: StorageClient, destination: Destination) {
        self.library = library
        self.storage = storage
        self.destination = destination
    }

    /// Why no links can be made where objects have no address; `nil` if they can.
    package static func refusal(at destination: Destination) -> String? {
        guard destination.isLocal else { return nil }
        return "Objects on this computer have no address of their own: run \"gallery-sync serve --data DIR\" "
            + "and set destination.url to what it prints"
    }

    /// One file's URL.
    package struct Link: Codable, Hashable, Sendable {
        /// The file as the user named it, safe to display.
        let path: String
        /// The key of its object in the bucket.
        let key: String
        /// The URL; a signed one grants access and is shown to the user only.
        package let url: String
        /// When the URL stops working; `nil` in a public bucket, where it does not expire.
        package let expiresAt: Date?
    }

    /// A URL for the newest stored version of the file at `path`, which lies at `location` of a root.
    ///
    /// Throws `Refusal` where the file is not stored, or the server refuses.
    package func link(
        to path: FilePath, _ location: (root: String, path: FilePath)?, for duration: Duration, now: Date = Date()
    ) async throws -> Link {
        var file: FileRecord?
        if let location { file = try await library.fileRecord(root: location.root, path: location.path) }
        guard let record = file, let stored = record.receipts.first(where: { $0.role == .original }) else {
            throw await Self.unstored(path, isKnown: file != nil)
        }
        guard
            let receipt = record.receipts.first(where: { $0.role == .original && $0.destination == destination.name })
        else {
            throw Refusal(.needsHuman("it is stored in \(stored.destination). \(NextStep.afterChangeOfDestination)"))
        }
        let key = receipt.key.text
        do {
            if try await isPublic() {
                let url = storage.publicURL(bucket: destination.bucket, key: key)
                return Link(path: path.display, key: key, url: url, expiresAt: nil)
            }
            let url = try await storage.sign(bucket: destination.bucket, key: key, expiresIn: duration)
            return Link(path: path.display, key: key, url: url, expiresAt: now + duration.seconds)
        } catch let error as StorageError {
            throw Refusal(Ending(linking: error, at: now))
        }
    }

    /// Why a file without a receipt has no link.
    private static func unstored(_ path: FilePath, isKnown: Bool) async -> Refusal {
        switch isKnown ? .file : await Blocking.run({ FileFacts.likelyKind(at: path) }) {
        case nil: Refusal(.refused("there is no such file, and none was stored by that name"))
        case .directory: Refusal(.refused("it is a directory: name a file in it"))
        default: Refusal(.refused("it is not stored yet; \"gallery-sync why\" tells why"))
        }
    }

    /// URLs for those of `files` that are stored, and the reason why the last of the others has none.
    package func links(
        to files: [RootedPath], seconds: Int, now: Date
    ) async throws -> (links: [Link], refusal: Refusal?) {
        var (links, last): ([Link], Refusal?) = ([], nil)
        for file in files {
            do {
                links.append(
                    try await link(
                        to: FilePath("\(file.root)/\(file.path.display)"), (file.root, file.path),
                        for: .seconds(seconds), now: now))
            } catch let refusal as Refusal {
                // The cause is not this file, so nothing is said about the others, which would have to wait, too.
                if refusal.ending.kind == .temporary { return ([], refusal) }
                last = refusal
            }
        }
        return (links, last)
    }

    /// Whether the bucket is public; if that may not be asked, as by users, URLs are signed.
    private func isPublic() async throws -> Bool {
        do {
            return try await storage.bucket(destination.bucket).isPublic
        } catch {
            guard !error.isRetryable else { throw error }
            return false
        }
    }
}

extension Ending {
    /// How a request for a link ends that the server refused or did not answer.
    fileprivate init(linking error: StorageError, at now: Date) {
        self =
            Ending(closedBy: error, at: now) ?? (error.isRetryable ? .temporary("\(error)") : .notPermitted("\(error)"))
    }
}
