import FoundationEssentials
import ObjectStore
import Serving
import TestSupport
import Testing

@testable import StorageServer

/// A form with boundary `XbX` as tests write it.
struct FormText {
    var parts: [(disposition: String, type: String?, content: String)]
    var hasEnd = true

    var bytes: [UInt8] {
        let parts = parts.map { part in
            let type = part.type.map { "Content-Type: \($0)\r\n" } ?? ""
            return "--XbX\r\nContent-Disposition: form-data; \(part.disposition)\r\n\(type)\r\n\(part.content)\r\n"
        }
        return Array((parts.joined() + (hasEnd ? "--XbX--\r\n" : "")).utf8)
    }

    static let type = "multipart/form-data; boundary=XbX"
}

@Suite struct FormReaderTests {
    private static let form = FormText(parts: [
        (#"name="cacheControl""#, nil, "3600"), (#"name=""; filename="blob""#, "image/png", "P\r\nN--XbG\r\n--Xb"),
        (#"name="empty""#, nil, ""),
    ])

    /// The events with neighbouring bytes joined.
    private func events(_ pieces: [[UInt8]]) throws -> (joined: [FormReader.Event], isComplete: Bool) {
        var reader = FormReader(boundary: "XbX")
        var joined: [FormReader.Event] = []
        for event in try pieces.flatMap({ try reader.read($0) }) {
            if case .bytes(let more) = event, case .bytes(let before) = joined.last {
                joined[joined.count - 1] = .bytes(before + more)
            } else {
                joined.append(event)
            }
        }
        return (joined, reader.isComplete)
    }

    @Test func aFormIsReadWhereverItIsCut() throws {
        let bytes = Self.form.bytes
        let expected: [FormReader.Event] = [
            .part(.init(name: "cacheControl")), .bytes(Array("3600".utf8)), .partEnded,
            .part(.init(name: "", type: "image/png", hasFileName: true)),
            .bytes(Array("P\r\nN--XbG\r\n--Xb".utf8)), .partEnded, .part(.init(name: "empty")), .partEnded,
        ]
        for cut in 0...bytes.count {
            let read = try events([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(read.joined == expected, "cut at \(cut)")
            #expect(read.isComplete)
        }
        #expect(try events(bytes.map { [$0] }).joined == expected)
    }

    @Test func textBeforeAndBehindIsNoPart() throws {
        let read = try events([Array("hello\r\n".utf8), Self.form.bytes, Array("\r\n--XbX\r\n".utf8)])
        #expect(read.joined.count == 8)
        #expect(read.isComplete)
    }

    @Test(arguments: ["", "--XbX", "--XbX\r\n", "--XbX\r\nA: b\r\n\r\ntext", "nothing of the kind"])
    func aFormThatBreaksOffIsNotComplete(text: String) throws {
        #expect(try !events([Array(text.utf8)]).isComplete)
    }

    @Test(arguments: ["--XbX??", "--XbX\r\n" + String(repeating: "x", count: 17 << 10)])
    func whatIsNoFormIsRefused(text: String) {
        #expect(throws: FormReader.Malformed.self) { try events([Array(text.utf8)]) }
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=a-b", "a-b"), (#"multipart/form-data; Boundary="a b""#, "a b"),
        ("multipart/form-data", nil), ("multipart/form-data; charset=utf-8", nil),
    ])
    func theBoundary(type: String, boundary: String?) {
        #expect(FormReader.parameter("boundary", of: type) == boundary)
    }
}

@Suite struct FormRoutesTests {
    typealias Parts = [(disposition: String, type: String?, content: String)]
    private static let file = #"name="file"; filename="b.png""#

    private func send(_ site: Site, _ path: String, _ form: FormText) async throws -> Answer {
        try await site.ask("POST", "/object/\(path)", ["Content-Type": FormText.type], body: form.bytes)
    }

    struct Stored: Sendable, Equatable {
        var type = "image/png"
        var cacheControl = "no-cache"
        var metadata: JSON = [:]
    }

    @Test(
        arguments: [
            Fact("a file alone", FormText(parts: [(file, "image/png", "PNG")]), Stored()),
            Fact("a file without a type", FormText(parts: [(file, nil, "PNG")]), Stored(type: "text/plain")),
            Fact(
                "bytes without a name", FormText(parts: [(#"name="f""#, "application/octet-stream", "PNG")]),
                Stored(type: "application/octet-stream")),
            Fact(
                "fields before it",
                FormText(parts: [
                    (#"name="cacheControl""#, nil, "60"), (#"name="metadata""#, nil, #"{"a":1}"#),
                    (#"name="contentType""#, nil, "image/webp"), (file, "image/png", "PNG"),
                ]), Stored(type: "image/webp", cacheControl: "max-age=60", metadata: ["a": 1])),
            Fact(
                "fields behind it",
                FormText(parts: [
                    (file, "image/png", "PNG"), (#"name="cacheControl""#, nil, "max-age=60"),
                    (#"name="userMetadata""#, nil, "no json"),
                ]), Stored(cacheControl: "max-age=max-age=60")),
        ] as [Fact<FormText, Stored>])
    func whatAFormSays(_ fact: Fact<FormText, Stored>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        #expect(try await send(site, "b/a", fact.input).status == 200)
        #expect(try await site.get("/object/b/a").text == "PNG")
        let info = try await site.get("/object/info/b/a").json
        let stored = Stored(
            type: info["content_type"]?.string ?? "", cacheControl: info["cache_control"]?.string ?? "",
            metadata: info["metadata"] ?? .null)
        #expect(stored == fact.output)
    }

    @Test(
        arguments: [
            Fact(
                "a field only", FormText(parts: [(#"name="f""#, "image/png", "x")]),
                "400 InvalidRequest: No content provided"),
            Fact("nothing", FormText(parts: []), "400 InvalidRequest: No content provided"),
            Fact(
                "a wrong type", FormText(parts: [(file, "a/b", "x")]),
                "415 InvalidMimeType: mime type a/b is not supported"),
            Fact(
                "a byte too large", FormText(parts: [(file, "image/png", String(repeating: "x", count: 1001))]),
                "413 EntityTooLarge: The object exceeded the maximum allowed size"),
            Fact(
                "no end", FormText(parts: [(file, "image/png", "x")], hasEnd: false),
                "400 InvalidRequest: Request stream closed before upload could begin"),
        ] as [Fact<FormText, String>])
    func aFormThatIsRefused(_ fact: Fact<FormText, String>) async throws {
        let site = try Site()
        try await site.makeBucket("b", ["file_size_limit": 1000, "allowed_mime_types": ["image/*"]])
        #expect(try await send(site, "b/a", fact.input).refusal == fact.output)
        #expect(try site.blobs() == [])
        let largest = FormText(parts: [(Self.file, "image/png", String(repeating: "x", count: 1000))])
        #expect(try await send(site, "b/a", largest).status == 200)
    }

    private static func field(_ number: Int, _ bytes: Int) -> (disposition: String, type: String?, content: String) {
        (#"name="f\#(number)""#, nil, String(repeating: "x", count: bytes))
    }

    private static let fields = "413 EntityTooLarge: The user_metadata exceeded the maximum allowed size"
    private static let object = "413 EntityTooLarge: The object exceeded the maximum allowed size"

    /// What a form says in fields is kept in memory, however many they are.
    @Test(
        arguments: [
            Fact("a field as large as one may be", [field(1, 1 << 20), (file, "image/png", "x")], nil),
            Fact("a byte too large", [field(1, 1 << 20 + 1), (file, "image/png", "x")], fields),
            Fact("a byte too large, behind the file", [(file, "image/png", "x"), field(1, 1 << 20 + 1)], object),
            Fact("four together", (1...4).map { field($0, 1_000_000) } + [(file, "image/png", "x")], nil),
            Fact("too many together", (1...6).map { field($0, 1_000_000) } + [(file, "image/png", "x")], fields),
            Fact(
                "too many names",
                (1...400).map { (#"name="\#($0)\#(String(repeating: "n", count: 12_000))""#, nil, "") }, fields),
        ] as [Fact<Parts, String?>])
    func fieldsAreAsLargeAsMemoryAllows(_ fact: Fact<Parts, String?>) async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let answer = try await send(site, "b/a", FormText(parts: fact.input))
        if let refusal = fact.output { #expect(answer.refusal == refusal) } else { #expect(answer.status == 200) }
        #expect(try site.blobs().count == (fact.output == nil ? 1 : 0))
    }

    @Test func aFormNeedsABoundary() async throws {
        let site = try Site()
        try await site.makeBucket("b")
        let answer = try await site.upload("b/a", "x", ["Content-Type": "multipart/form-data"])
        #expect(answer.refusal == "400 InvalidRequest: Multipart: Boundary not found")
    }
}
