import Formats
import FoundationEssentials

/// Thrown for bytes that are not a message between agent and media worker.
package struct MalformedMessage: Error, Hashable {
    /// What is wrong with them.
    package let reason: String
}

/// The form of a message: the JSON's length (4 bytes, big-endian), the JSON, then the pictures that it announces.
///
/// One message is sent as one frame of the socket between them, and the frame states the total length.
enum MediaMessage {
    /// The most bytes of JSON; facts are small, so more is an attack or an error.
    static let headLimit = 1 << 20

    static func encode(_ head: some Encodable, pictures: [[UInt8]] = []) throws -> [UInt8] {
        let json = try JSONEncoder().encode(head)
        let length = UInt32(json.count)
        var message: [UInt8] = []
        message.reserveCapacity(4 + json.count + pictures.reduce(0) { $0 + $1.count })
        message.append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
        message.append(contentsOf: json)
        for picture in pictures { message.append(contentsOf: picture) }
        return message
    }

    /// The JSON decoded as `type`, and the bytes after it.
    static func decode<Head: Decodable>(
        _ type: Head.Type, from message: [UInt8]
    ) throws(MalformedMessage) -> (head: Head, rest: ArraySlice<UInt8>) {
        guard message.count >= 4 else { throw MalformedMessage(reason: "shorter than its length field") }
        let length = message[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= headLimit, length <= message.count - 4 else {
            throw MalformedMessage(reason: "a head of \(length) bytes in a message of \(message.count)")
        }
        do {
            let head = try JSONDecoder().decode(type, from: Data(message[4..<4 + length]))
            return (head, message[(4 + length)...])
        } catch {
            throw MalformedMessage(reason: "its head does not decode: \(DecodingError.clause(error))")
        }
    }
}

extension MediaJob {
    /// The job as one message.
    package func encoded() throws -> [UInt8] {
        try MediaMessage.encode(self)
    }

    /// The job in a message; throws where the bytes are anything else.
    package init(message: [UInt8]) throws(MalformedMessage) {
        let (job, rest) = try MediaMessage.decode(MediaJob.self, from: message)
        guard rest.isEmpty else { throw MalformedMessage(reason: "\(rest.count) bytes after a job") }
        self = job
    }
}

extension MediaAnswer {
    /// The JSON part: everything except the pictures' bytes, which follow it in this order.
    private struct Head: Codable {
        var id: Int
        var failure: String?
        /// Set in addition to `failure`, which has the words.
        var isOutOfMemory: Bool?
        var facts: MediaFacts?
        var pictures: [Picture]?

        struct Picture: Codable {
            var spec: ThumbnailSpec
            var width: Int
            var height: Int
            var bytes: Int
        }
    }

    /// The answer as one message; the pictures are copied once.
    package func encoded() throws -> [UInt8] {
        switch result {
        case .failed(let reason):
            return try MediaMessage.encode(Head(id: id, failure: reason))
        case .outOfMemory:
            return try MediaMessage.encode(Head(id: id, failure: "out of memory", isOutOfMemory: true))
        case .examined(let facts, let thumbnails):
            let pictures = thumbnails.map {
                Head.Picture(spec: $0.spec, width: $0.width, height: $0.height, bytes: $0.bytes.count)
            }
            return try MediaMessage.encode(
                Head(id: id, facts: facts, pictures: pictures), pictures: thumbnails.map(\.bytes))
        }
    }

    /// The answer in a message, which is untrusted: hostile media may have taken over the worker.
    package init(message: [UInt8]) throws(MalformedMessage) {
        let (head, rest) = try MediaMessage.decode(Head.self, from: message)
        switch (head.failure, head.facts) {
        case (let reason?, nil):
            guard rest.isEmpty else { throw MalformedMessage(reason: "bytes after a failure") }
            self.init(id: head.id, result: head.isOutOfMemory == true ? .outOfMemory : .failed(reason))
        case (nil, let facts?):
            let thumbnails = try Self.thumbnails(head.pictures ?? [], in: rest)
            self.init(id: head.id, result: .examined(facts, thumbnails))
        default:
            throw MalformedMessage(reason: "neither facts nor a failure, or both")
        }
    }

    private static func thumbnails(
        _ pictures: [Head.Picture], in bytes: ArraySlice<UInt8>
    ) throws(MalformedMessage) -> [Thumbnail] {
        var rest = bytes
        var thumbnails: [Thumbnail] = []
        for picture in pictures {
            guard picture.bytes > 0, picture.bytes <= rest.count, picture.width > 0, picture.height > 0 else {
                throw MalformedMessage(reason: "a picture of \(picture.bytes) bytes where \(rest.count) are left")
            }
            let bytes = Array(rest.prefix(picture.bytes))
            thumbnails.append(
                Thumbnail(spec: picture.spec, width: picture.width, height: picture.height, bytes: bytes))
            rest = rest.dropFirst(picture.bytes)
        }
        guard rest.isEmpty else { throw MalformedMessage(reason: "\(rest.count) bytes after the last picture") }
        return thumbnails
    }
}
