package import FoundationEssentials

extension Report {
    /// One cause and the assets it stopped.
    package struct Failure: Codable, Hashable, Sendable {
        /// One of the assets, with its root's name first.
        package var path: String
        /// A stable word such as `http.503` or `file.EACCES`.
        package var code: String
        /// What happened, in the words of whoever refused.
        package var message: String
        /// What to do now.
        package var next: String
        /// How many assets.
        package var count: Int

        /// - Parameter next: Nil takes what `NextStep` knows about the code.
        package init(path: String, code: String, message: String, next: String? = nil, count: Int = 1) {
            self.path = path
            self.code = code
            self.message = message
            self.next = next ?? NextStep.after(code: code)
            self.count = count
        }

        /// One failure a cause, the most frequent first; the path is the first one given.
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

    /// Something outside the assets that keeps them waiting.
    package struct Blocked: Codable, Hashable, Sendable {
        /// The queue's word, such as `offline` or `signIn`.
        package var reason: String
        package var count: Int
        /// What to do now.
        package var next: String

        /// - Parameter code: Of the failure behind it, where that makes a difference.
        package init(reason: String, count: Int, code: String? = nil) {
            self.reason = reason
            self.count = count
            next = NextStep.after(blocked: reason, code: code)
        }

        /// - Parameter cause: As `Item.blockedCause` writes it.
        package init(cause: String, count: Int) {
            let parts = cause.split(separator: "/", maxSplits: 1)
            self.init(
                reason: parts.first.map(String.init) ?? cause, count: count,
                code: parts.count > 1 ? String(parts[1]) : nil)
        }
    }

    /// One watched directory tree.
    package struct Root: Codable, Hashable, Sendable {
        package var name: String
        package var path: String
        package var total: Int
        package var stored: Int
        package var bytes: Int64
        /// Why it is paused, such as a disk that is not mounted; nil when it is not.
        package var paused: String?

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
    }

    /// Assets of one kind.
    package struct Kind: Codable, Hashable, Sendable {
        /// In the singular: `photo`, `video`, `audio`.
        package var name: String
        package var total: Int
        package var stored: Int
        package var bytes: Int64

        package init(name: String, total: Int, stored: Int, bytes: Int64) {
            self.name = name
            self.total = total
            self.stored = stored
            self.bytes = bytes
        }
    }

    /// What was stored in one span of time.
    package struct Span: Codable, Hashable, Sendable {
        package var start: Date
        package var bytes: Int64
        package var objects: Int

        package init(start: Date, bytes: Int64, objects: Int) {
            self.start = start
            self.bytes = bytes
            self.objects = objects
        }
    }

    /// One asset that was stored lately.
    package struct Recent: Codable, Hashable, Sendable {
        /// With its root's name first.
        package var path: String
        /// Bytes.
        package var size: Int64
        package var storedAt: Date
        /// `photo`, `video` or `audio`.
        package var kind: String
        /// Seconds of a video.
        package var duration: Double?
        /// A JPEG for the page; never in the JSON document.
        package var thumbnail: Data?

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
