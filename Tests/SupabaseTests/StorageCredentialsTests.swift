import Supabase
import Testing

@Suite struct StorageCredentialsTests {
    @Test func printingShowsNothing() {
        let credentials = StorageCredentials(bearer: "s3cret", apiKey: "k3y")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), String(describing: [credentials]), dumped] {
            #expect(!text.contains("s3cret") && !text.contains("k3y"))
        }
    }

    @Test func aKeyStandsForItself() {
        #expect(StorageCredentials(key: "k") == StorageCredentials(bearer: "k", apiKey: "k"))
    }

    @Test(arguments: [("http://h/storage/v1//", "http://h/storage/v1"), ("http://h", "http://h"), ("", "")])
    func aBaseEndsWithoutASlash(given: String, base: String) {
        #expect(StorageEndpoint(base: given).base == base)
    }
}
