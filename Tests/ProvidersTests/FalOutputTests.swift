import FoundationEssentials
import Providers
import Testing

/// The two bodies of the original description, and variants that services may send.
@Suite struct FalOutputTests {
    static let veo = #"{"video":{"url":"https://v3b.fal.media/files/b/kangaroo/output.mp4"}}"#
    static let sora = """
        {"video":{"content_type":"video/mp4",
        "url":"https://storage.googleapis.com/falserverless/example_outputs/sora_2_i2v_output.mp4",
        "width":1280,"height":720,"fps":24,"duration":4.2},"video_id":"video_123"}
        """

    private func decoded(_ text: String) throws -> FalOutput {
        try JSONDecoder().decode(FalOutput.self, from: Data(text.utf8))
    }

    @Test func veoSaysOnlyWhereTheVideoIs() throws {
        let result = try decoded(Self.veo).result()
        #expect(
            result == VideoResult(provider: .fal, videoURL: "https://v3b.fal.media/files/b/kangaroo/output.mp4"))
        #expect(result.resolution == nil)
        #expect(result.hasAudio == nil)
    }

    @Test func soraSaysItsFiguresToo() throws {
        let output = try decoded(Self.sora)
        let result = output.result()
        #expect(output.videoID == "video_123")
        #expect(output.video.contentType == "video/mp4")
        #expect(result.resolution == "720p")
        #expect(result.duration == 4.2)
        #expect(result.fps == 24)
        #expect((result.width, result.height) == (1280, 720))
    }

    @Test(
        arguments: [
            ("null figures", #""width":null,"height":null,"fps":null,"duration":null"#, nil, nil),
            ("figures as text", #""width":"1280","height":"720","fps":"24.0","duration":"4.2""#, "720p", 4.2),
            ("figures of another shape", #""width":{},"height":[],"fps":"fast","duration":true"#, nil, nil),
            ("unknown fields", #""codec":"h264","layers":[1,{"a":null}]"#, nil, nil),
            ("half a size", #""width":1280"#, nil, nil),
        ] as [(String, String, String?, Double?)])
    func oddFiguresSpoilNothing(_: String, fields: String, resolution: String?, duration: Double?) throws {
        let result = try decoded(#"{"video":{"url":"https://v3b.fal.media/a.mp4",\#(fields)}}"#).result()
        #expect(result.videoURL == "https://v3b.fal.media/a.mp4")
        #expect(result.resolution == resolution)
        #expect(result.duration == duration)
    }

    @Test(arguments: [#"{}"#, #"{"video":null}"#, #"{"video":{}}"#, #"{"video":{"url":7}}"#, #"[]"#, "<html>"])
    func withoutALinkThereIsNoResult(body: String) {
        #expect(throws: (any Error).self) { try decoded(body) }
    }

    /// Snake case in the type and a decoding strategy to camel case exclude each other.
    private struct AsDescribed: Decodable {
        let videoID: String

        private enum CodingKeys: String, CodingKey {
            case videoID = "video_id"
        }
    }

    @Test func theDecoderOfTheDescriptionCannotReadSora() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try decoder.decode(AsDescribed.self, from: Data(Self.sora.utf8)) }
        #expect(try JSONDecoder().decode(AsDescribed.self, from: Data(Self.sora.utf8)).videoID == "video_123")
    }
}
