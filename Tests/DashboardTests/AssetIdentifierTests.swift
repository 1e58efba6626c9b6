import Queue
import Serving
import Testing

@testable import Dashboard

/// An asset's name in the API, as it is read from an address.
@Suite struct AssetIdentifierTests {
    @Test(arguments: ["1.a.jpg", "9223372036854775807. ", "0..hidden"])
    func aPlaceIsReadBack(written: String) throws {
        let text = Base64URL.encode(Array(written.utf8))
        #expect(try #require(AssetIdentifier(text)).text == text)
    }

    @Test(arguments: ["+1.a.jpg", "-1.a.jpg", "1.", ".a.jpg", "1", "", "x.a.jpg", "9223372036854775808.a", " 1.a"])
    func anythingElseIsNone(written: String) {
        #expect(AssetIdentifier(Base64URL.encode(Array(written.utf8))) == nil)
    }
}
