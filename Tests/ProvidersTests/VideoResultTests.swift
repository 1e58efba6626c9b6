import FoundationEssentials
import Providers
import Testing

@Suite struct VideoResultTests {
    @Test(arguments: [
        (1280, 720, "720p"), (720, 1280, "720p"), (1920, 1080, "1080p"), (1920, 1088, "1080p"), (1080, 1920, "1080p"),
        (3840, 2160, "4k"), (2160, 3840, "4k"), (1024, 1792, "1024p"), (854, 480, "480p"), (1, 1, "1p"),
    ])
    func theShortSideNamesTheResolution(width: Int, height: Int, label: String) {
        #expect(VideoResult.resolution(width: width, height: height) == label)
    }

    @Test(arguments: [(nil, 720), (1280, nil), (0, 720), (1280, -1), (nil, nil)] as [(Int?, Int?)])
    func withoutBothSidesThereIsNoLabel(width: Int?, height: Int?) {
        #expect(VideoResult.resolution(width: width, height: height) == nil)
    }

    @Test func measuredSidesOutweighTheStatedLabel() {
        let url = "https://v3b.fal.media/a.mp4"
        #expect(VideoResult(provider: .fal, videoURL: url, stated: "1080p").resolution == "1080p")
        let measured = VideoResult(provider: .fal, videoURL: url, stated: "1080p", width: 1280, height: 720)
        #expect(measured.resolution == "720p")
    }

    @Test func whatIsUnknownIsNotWritten() throws {
        let result = VideoResult(provider: .fal, videoURL: "https://v3b.fal.media/a.mp4")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let stored = try encoder.encode(result)
        #expect(stored.text == #"{"provider":"fal","videoURL":"https://v3b.fal.media/a.mp4"}"#)
        #expect(try JSONDecoder().decode(VideoResult.self, from: stored) == result)
    }
}
