import MediaModel
import Platform
import TestSupport
import Testing

@testable import Frames
@testable import Media

/// Files that exist only while they are open, and the results of the examiner.
enum Examined {
    /// An open file with these bytes and no name.
    static func file(_ bytes: [UInt8]) throws -> OpenFile {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let file = try OpenFile(creating: directory.path.appending("media"))
        try file.write(bytes, at: 0)
        return file
    }

    /// The answer about a file with these bytes; its type is identified as by the agent, unless given.
    static func answer(
        _ bytes: [UInt8], as type: MediaType? = nil, sizes: [Int] = [128], maxBytes: Int = 200_000,
        format: ThumbnailFormat = .jpeg, limits: MediaLimits = MediaLimits(posterSeconds: 60)
    ) throws -> MediaAnswer.Result {
        let header = Array(bytes.prefix(MediaIdentity.headerLength))
        let found = MediaIdentity(header: header, fileExtension: type?.fileExtension.map { Array($0.utf8) } ?? [])
        let specs = sizes.map { ThumbnailSpec(longSide: $0, maxBytes: maxBytes, format: format) }
        let job = MediaJob(id: 1, type: try #require(type ?? found?.type), specs: specs, limits: limits)
        let file = try file(bytes)
        Examiner.prepare()
        return Examiner.examine(file.descriptor, job).result
    }

    /// Facts and thumbnails of a file that must be readable.
    static func media(
        _ bytes: [UInt8], as type: MediaType? = nil, sizes: [Int] = [128], maxBytes: Int = 200_000,
        format: ThumbnailFormat = .jpeg
    ) throws -> (facts: MediaFacts, thumbnails: [Thumbnail]) {
        switch try answer(bytes, as: type, sizes: sizes, maxBytes: maxBytes, format: format) {
        case .examined(let facts, let thumbnails): return (facts, thumbnails)
        case .failed(let reason): throw Unreadable(reason: reason)
        case .outOfMemory: throw Unreadable(reason: "out of memory")
        }
    }

    /// The answer of the examiner, where it has no facts.
    struct Unreadable: Error {
        let reason: String
    }

    /// The reason for a file that must not be readable.
    static func failure(_ bytes: [UInt8], as type: MediaType? = nil, limits: MediaLimits = MediaLimits()) throws
        -> String
    {
        switch try answer(bytes, as: type, limits: limits) {
        case .examined(let facts, _): throw Unreadable(reason: "readable: \(facts)")
        case .failed(let reason): return reason
        case .outOfMemory: throw Unreadable(reason: "out of memory")
        }
    }
}

extension Bitmap {
    /// The pixels of a JPEG, decoded at full size.
    init(jpeg: [UInt8]) throws {
        let file = try Examined.file(jpeg)
        let packet = try Packet.contents(of: file.descriptor, limit: 1 << 30)
        let decoder = try Decoder.opened("mjpeg", options: Decoder.Options(maxPixels: 1 << 30))
        try decoder.send(packet)
        decoder.finish()
        guard let frame = try decoder.receive() else { throw Examined.Unreadable(reason: "no picture") }
        self = try Scaler.bitmap(from: frame, width: frame.width, height: frame.height)
    }
}
