import MediaModel
import Platform
import Testing

@testable import Records

/// What the timeline shows of an asset at once.
@Suite struct TimelineFaceTests {
    @Test(
        arguments: [
            (3000, 3000, 128), (4000, 2000, 176), (2000, 4000, 80), (4000, 3000, 148), (3000, 4000, 108),
            (16_000, 100, 255), (100, 16_000, 1), (nil, 100, 0), (100, 0, 0),
        ] as [(Int?, Int?, UInt8)])
    func theRatioIsAByte(width: Int?, height: Int?, byte: UInt8) {
        let facts = FaceFacts(type: .jpeg, width: width, height: height)
        #expect(TimelineFace(facts, modifiedAt: FileTime(nanoseconds: 0))?.ratio == byte)
    }

    @Test(
        arguments: [
            (.jpeg, nil, .photo), (.webp, nil, .photo), (.webp, 2, .animation), (.gif, nil, .animation),
            (.cr3, nil, .raw), (.dng, nil, .raw), (.tga, nil, .photo), (.mp4, 3, .video), (.m4a, 3, .other),
        ] as [(MediaType, Double?, TimelineKind)])
    func theKindIsWhatItIsToTheUser(type: MediaType, duration: Double?, kind: TimelineKind) {
        let facts = FaceFacts(type: type, duration: duration)
        #expect(TimelineFace(facts, modifiedAt: FileTime(nanoseconds: 0))?.kind == kind)
    }

    @Test func aMoviesContainerThatHoldsSoundAloneIsNoVideo() {
        let facts = FaceFacts(type: .mp4, isSound: true, duration: 3)
        #expect(TimelineFace(facts, modifiedAt: FileTime(nanoseconds: 0))?.kind == .other)
    }

    @Test func theDateInTheFileComesFirstAndTheFilesOwnStandsIn() throws {
        let modified = FileTime(nanoseconds: 1_700_000_000_500_000_000)
        let dated = try #require(TimelineFace(FaceFacts(type: .jpeg, takenAt: 1_600_000_000.5), modifiedAt: modified))
        #expect(dated.isDated && dated.taken == WallClock.seconds(at: 1_600_000_000))
        let other = try #require(TimelineFace(FaceFacts(type: .jpeg), modifiedAt: modified))
        #expect(!other.isDated && other.taken == WallClock.seconds(at: 1_700_000_000))
    }

    /// By the clock where it was taken, whatever this computer's zone is; an offset that no clock has is none.
    @Test(arguments: [(-36_000, -36_000), (32_400, 32_400), (0, 0), (57_601, nil), (.min, nil)] as [(Int, Int64?)])
    func theTimelineShowsTheClockThere(offset: Int, ahead: Int64?) throws {
        let facts = FaceFacts(type: .jpeg, takenAt: 1_600_000_000, takenAtOffset: offset)
        let face = try #require(TimelineFace(facts, modifiedAt: FileTime(nanoseconds: 0)))
        #expect(face.taken == ahead.map { 1_600_000_000 + $0 } ?? WallClock.seconds(at: 1_600_000_000))
    }

    @Test(arguments: [.min, -1, .max] as [Int64])
    func aDateThatNoCalendarPrintsIsMovedIntoOne(nanoseconds: Int64) throws {
        let face = try #require(TimelineFace(FaceFacts(type: .jpeg), modifiedAt: FileTime(nanoseconds: nanoseconds)))
        #expect((-62_135_596_800...253_402_300_799).contains(face.taken))
        let odd = try #require(
            TimelineFace(FaceFacts(type: .jpeg, takenAt: 1e300), modifiedAt: FileTime(nanoseconds: 0)))
        #expect(!odd.isDated)
    }

    @Test func aSidecarIsNotShown() {
        #expect(TimelineFace(FaceFacts(type: .xmp), modifiedAt: FileTime(nanoseconds: 0)) == nil)
        #expect(TimelineFace(unread: Array("a.XMP".utf8), modifiedAt: FileTime(nanoseconds: 0)) == nil)
        #expect(TimelineFace(unread: Array("a.MOV".utf8), modifiedAt: FileTime(nanoseconds: 0))?.kind == .video)
    }
}
