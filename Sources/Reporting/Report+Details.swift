package import FoundationEssentials
package import Queue
import Text

extension Report {
    /// One cause and the assets it stopped.
    package struct Failure: Codable, Hashable, Sendable {
        /// One of the assets, with its root's name first; empty in a redacted report.
        package var path: String
        /// A stable word such as `http.503` or `file.EACCES`.
        package var code: String
        /// What happened, in the words of the server or the system.
        package var message: String
        /// What to do now.
        package var next: String
        /// The number of assets.
        package var count: Int

        /// - Parameter next: `nil` takes the step that `NextStep` has for the code.
        package init(path: String, code: String, message: String, next: String? = nil, count: Int = 1) {
            self.path = path
            self.code = code
            self.message = message
            self.next = next ?? NextStep.after(code: code)
            self.count = count
        }

        /// What `count` counts, in the singular.
        var noun: String { [Self.unlistedFolder, Self.awayFolder].contains(code) ? "folder" : "file" }

        /// The code of a folder that could not be listed.
        static let unlistedFolder = "directory.unreadable"
        /// The code of a folder whose disk is not there.
        static let awayFolder = "directory.away"

        /// One failure for each cause, the most frequent first; the path is the first one given.
        ///
        /// The cause is the code: messages of one code differ in names and numbers.
        package static func grouped(_ failures: some Sequence<Failure>) -> [Failure] {
            var groups: [Failure] = []
            var places: [String: Int] = [:]
            for failure in failures {
                if let place = places[failure.code] {
                    groups[place].count += failure.count
                } else {
                    places[failure.code] = groups.count
                    groups.append(failure)
                }
            }
            return groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
                .map(\.element)
        }
    }

    /// A cause outside the assets that keeps them waiting.
    package struct Blocked: Codable, Hashable, Sendable {
        /// The queue's word, such as `offline` or `signIn`.
        package var reason: String
        /// The reason in words for people, such as `No connection`.
        package var title: String
        /// The number of items that wait for this cause: files and pictures.
        package var count: Int
        /// Of these, files.
        package var files: Int
        /// Of these, thumbnails.
        var pictures: Int
        /// The message of one of them; empty if there is none.
        package var message: String
        /// The path of the file with that message, with its root's name; empty if not known.
        package var path: String
        /// The first of the files by name, at most 20; empty in a summary.
        var names: [String] = []
        /// What to do now.
        package var next: String

        /// The most files that are named.
        static let nameLimit = 20

        /// - Parameter code: The code of the failure behind it, if that makes a difference.
        package init(
            reason: String, files: Int, pictures: Int = 0, message: String = "", path: String = "",
            code: FailureCode? = nil
        ) {
            self.reason = reason
            title = BlockedTitle.of(reason, code: code)
            count = files + pictures
            self.files = files
            self.pictures = pictures
            self.message = message
            self.path = path
            next = NextStep.after(blocked: reason, code: code)
        }

        /// So many items with one cause.
        init(_ cause: BlockedCause, _ count: BlockedCount) {
            self.init(
                reason: cause.reason.rawValue, files: count.files, pictures: count.pictures, message: count.message,
                path: count.path, code: cause.code)
        }

        /// Such as `5 files, 5 pictures`.
        package var quantity: String { Quantity.text(files: files, pictures: pictures) }
    }

    /// One watched directory tree.
    package struct Root: Codable, Hashable, Sendable {
        /// The first segment of the keys below it; a number in a redacted report.
        package var name: String
        /// The absolute path of the directory.
        package var path: String
        /// Assets to store: stored, waiting, failed and unreadable.
        var total: Int
        /// Assets that are stored.
        var stored: Int
        /// Assets still to be read or sent; `nil` in the report of an older agent.
        package var waiting: Int?
        /// Bytes of all assets to store, the stored ones included.
        var bytes: Int64
        /// Why it is paused, such as a disk that is not mounted; `nil` when it is not.
        package var paused: String?
        /// Whether the configuration no longer names it, so that nothing scans it; `nil` if it does.
        package var dropped: Bool?
        /// Whether another disk is in its place, as a root of its own; `nil` if none is.
        package var replaced: Bool?

        /// A root whose counts the library gives.
        package init(
            name: String, path: String, total: Int = 0, stored: Int = 0, bytes: Int64 = 0, paused: String? = nil
        ) {
            self.name = name
            self.path = path
            self.total = total
            self.stored = stored
            self.bytes = bytes
            self.paused = paused
        }

        /// Whether its waiting files must wait for its disk.
        var isAway: Bool { paused != nil || replaced == true }

        /// The remark to show beside its counts; `nil` if there is none.
        var remark: String? {
            let advice = "what is stored of it stays; \"gallery-sync prune --root NAME\" lists it"
            if dropped == true { return "no longer in the configuration: \(advice)" }
            if replaced == true { return "waits for its disk, since another one is at its place: \(advice)" }
            return paused.map { "paused: \($0)" }
        }
    }

    /// Assets of one kind.
    package struct Kind: Codable, Hashable, Sendable {
        /// In the singular: `photo`, `video`, `audio`.
        package var name: String
        /// Assets to store: stored, waiting, failed and unreadable.
        var total: Int
        /// Assets that are stored.
        var stored: Int
        /// Bytes of all assets to store, the stored ones included.
        var bytes: Int64

        /// The counts of one kind, as the library gives them.
        package init(name: String, total: Int, stored: Int, bytes: Int64) {
            self.name = name
            self.total = total
            self.stored = stored
            self.bytes = bytes
        }
    }

    /// What was stored in one span of time.
    package struct Span: Codable, Hashable, Sendable {
        /// The start of the span; all spans of a report have the same length.
        var start: Date
        /// Bytes of the objects that were stored in it.
        var bytes: Int64
        /// The number of objects that were stored in it.
        var objects: Int

        /// A span; the next one's start is its end.
        package init(start: Date, bytes: Int64, objects: Int) {
            self.start = start
            self.bytes = bytes
            self.objects = objects
        }
    }

    /// One asset that was stored recently.
    package struct Recent: Codable, Hashable, Sendable {
        /// The path below the root, with the root's name first.
        package var path: String
        /// Bytes.
        var size: Int64
        /// When its receipt was made.
        var storedAt: Date
        /// `photo`, `video` or `audio`.
        var kind: String
        /// Seconds of a video.
        var duration: Double?
        /// A JPEG for the page; never part of the JSON document.
        var thumbnail: Data?

        /// An asset; without `thumbnail` the page shows its extension instead.
        package init(
            path: String, size: Int64, storedAt: Date, kind: String, duration: Double? = nil, thumbnail: Data? = nil
        ) {
            self.path = path
            self.size = size
            self.storedAt = storedAt
            self.kind = kind
            self.duration = duration
            self.thumbnail = thumbnail
        }
    }
}
