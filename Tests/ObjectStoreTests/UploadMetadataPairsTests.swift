import Serving
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct UploadMetadataPairsTests {
    @Test(arguments: [
        "", " ", "a YQ==, b YQ==", "a %%%", "a YQ==,a YQ==", "a YQ== x", ",", "a YQ",
    ])
    func aLineThatIsRefused(line: String) { #expect(UploadMetadataPairs(line) == nil) }

    @Test func aValueMayBeMissing() {
        #expect(UploadMetadataPairs("bucketName,objectName YQ==")?.bucket == nil)
        #expect(UploadMetadataPairs("objectName YQ==")?.key == "a")
    }

    @Test(arguments: [
        Fact("a number is an age", "cacheControl MzYwMA==", "max-age=3600"),
        Fact("an age is not", "cacheControl bWF4LWFnZT0zNjAw", "no-cache"),
        Fact("nothing", "objectName YQ==", "no-cache"),
    ])
    func cacheControl(_ fact: Fact<String, String>) throws {
        let settled = try #require(UploadMetadataPairs(fact.input)).settled
        #expect(settled.cacheControl == fact.output)
        #expect(try #require(UploadMetadataPairs(settled: settled.line)).cacheControl == fact.output)
    }

    @Test(arguments: [("eyJhIjoxfQ==", #"{"a":1}"#), ("WzFd", nil), ("e30=", "{}"), ("eA==", nil)])
    func userMetadataIsAnObjectOrNothing(value: String, text: String?) {
        #expect(UploadMetadataPairs("metadata \(value)")?.userMetadata == text)
    }

    @Test(arguments: ["b/k/v", "b/d/e/v"])
    func anIDIsReadAsItWasWritten(path: String) throws {
        let id = try #require(UploadID(Base64URL.encode(Array(path.utf8))))
        #expect("\(id.bucket)/\(id.key)/\(id.version)" == path)
    }

    @Test(arguments: ["zzz", "", "b", "b/v", "/k/v", "b//", "b/k/"])
    func anIDThatIsNone(path: String) {
        #expect(UploadID(Base64URL.encode(Array(path.utf8))) == nil)
    }
}
