import Supabase
import Testing

@testable import Uploading

@Suite struct ChunkSizeTests {
    private static let piece = ResumableUpload.chunkSize

    @Test(arguments: [
        ("a quick line doubles", [1.9], 2), ("and doubles on, up to sixteen", [0, 0, 0, 0, 0, 0], 16),
        ("two seconds are right", [2, 2, 8], 1), ("a slow line halves", [0, 0, 8.1], 2),
        ("never below one", [60, 60], 1),
    ])
    func theNextPiece(why: String, seconds: [Double], pieces: Int64) {
        var size = ChunkSize()
        for second in seconds { size.took(.seconds(second)) }
        #expect(size.bytes == pieces * Self.piece, "\(why)")
    }
}
