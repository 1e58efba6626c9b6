import Providers
import Testing

@Suite struct MediaWalkerTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        let found: [String]

        init(_ description: String, _ body: String, _ found: String...) {
            (testDescription, self.body, self.found) = (description, body, found)
        }
    }

    static let rows = [
        Row("Veo 3.1", FalBodies.veo, "video v3b.fal.media/files/b/kangaroo/output.mp4"),
        Row(
            "Sora 2", FalBodies.sora,
            "video storage.googleapis.com/falserverless/example_outputs/sora_2_i2v_output.mp4"),
        Row(
            "a thumbnail comes after the video",
            #"{"thumbnail":{"url":"https://a.io/t"},"video":{"url":"https://a.io/v","content_type":"video/mp4"}}"#,
            "video a.io/v", "image a.io/t"),
        Row(
            "a list of videos", #"{"video":[{"url":"https://a.io/1.mp4"},{"url":"https://a.io/2.mp4"}]}"#,
            "video a.io/1.mp4", "video a.io/2.mp4"),
        Row("a field that ends in _url", #"{"video_url":"https://a.io/v"}"#, "video a.io/v"),
        Row(
            "camel case", #"{"videoUrl":"https://a.io/v","posterURL":"https://a.io/p"}"#, "video a.io/v", "image a.io/p"
        ),
        Row("output as one string", #"{"output":"https://a.io/x.webm"}"#, "video a.io/x.webm"),
        Row("output as a list without extensions", #"{"output":["https://a.io/x?_jwt=a.b.c"]}"#, "unknown a.io/x"),
        Row("unsigned links", #"{"unsigned_urls":["https://a.io/x"]}"#, "unknown a.io/x"),
        Row(
            "the same file under two signatures",
            #"{"a_url":"https://a.io/v.mp4?sig=1","b_url":"https://a.io/v.mp4?sig=2"}"#,
            "video a.io/v.mp4"),
        Row(
            "what was sent in",
            #"{"input":{"image_url":"https://a.io/i.png"},"json_input":{"url":"https://a.io/j.png"}}"#),
        Row(
            "the provider's own calls",
            #"{"status_url":"https://a.io/s","response_url":"https://a.io/r","urls":{"get":"https://a.io/g"}}"#),
        Row("an error's documentation", #"{"detail":[{"url":"https://errors.io/x"}]}"#),
        Row("a sentence with a link in it", #"{"message":"see https://a.io/v.mp4 for more"}"#),
        Row("not the web", #"{"url":"file:///etc/passwd","video_url":"ftp://a.io/v.mp4"}"#),
        Row("numbers, nulls and nothing", #"{"url":7,"video":null,"output":[null,1,{}]}"#),
        Row("text alone", #""https://a.io/v.mp4""#, "video a.io/v.mp4"),
    ]

    @Test(arguments: rows)
    func theFilesOfABodyAreFound(row: Row) throws {
        let found = MediaWalker.files(in: try json(row.body)).map { media in
            "\(media.kind.rawValue) \(media.identity.replacing("https://", with: "").replacing(":443", with: ""))"
        }
        #expect(found == row.found)
    }

    @Test(arguments: [
        Row("a link without an extension", #""https://a.io/files/0""#, "unknown a.io/files/0"),
        Row(
            "a list of links that differ in their queries", #"["https://a.io/v?file=0","https://a.io/v?file=1"]"#,
            "unknown a.io/v?file=0", "unknown a.io/v?file=1"),
        Row(
            "a list of which one has an extension", #"["https://a.io/a.mp4","https://a.io/files/1"]"#,
            "video a.io/a.mp4", "unknown a.io/files/1"),
        Row(
            "an object whose links have names",
            #"{"video_url":"https://a.io/v","page":"https://a.io/jobs/1"}"#, "video a.io/v"),
        Row(
            "an object whose links have none", #"{"b":["https://a.io/2"],"a":{"clip":"https://a.io/1"},"n":1}"#,
            "unknown a.io/1", "unknown a.io/2"),
        Row("no address", #"["a.mp4",null,{"status_url":"https://a.io/s"}]"#),
    ])
    func inWhatTheUserNamedEachAddressIsAFile(row: Row) throws {
        let found = MediaWalker.files(in: try json(row.body), isNamed: true).map { media in
            "\(media.kind.rawValue) \(media.identity.replacing("https://", with: "").replacing(":443", with: ""))"
        }
        #expect(found == row.found)
    }

    @Test func whatStandsBesideALinkDescribesIt() throws {
        let media = try #require(
            MediaWalker.files(
                in: try json(
                    """
                    {"clip":{"url":"https://a.io/v","content_type":"video/mp4","file_name":"v.mp4","file_size":"1024",
                    "width":"1280","height":720,"fps":24.0,"duration":"8","has_audio":true,"num_frames":192}}
                    """)
            ).first)
        #expect(media.kind == .video)
        #expect(media.fileName == "v.mp4")
        #expect(media.size == 1024)
        let result = media.result(by: .fal, createdAt: nil)
        #expect(result.resolution == "720p")
        #expect(result.duration == 8)
        #expect(result.fps == 24)
        #expect(result.hasAudio == true)
    }
}
