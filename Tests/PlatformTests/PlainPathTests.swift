import Platform
import TestSupport
import Testing

/// The one spelling of a path.
@Suite struct PlainPathTests {
    @Test(arguments: [
        ("/none/P", "/none/P"), ("/none/P/.", "/none/P"), ("/none/./P", "/none/P"), ("/none/x/../P", "/none/P"),
        ("/none//P/", "/none/P"), ("/..", "/"), ("/.", "/"), ("/none/..a/P.", "/none/..a/P."), ("a/../b", "a/../b"),
    ])
    func hasNoDotsAndNoDoubledSlashes(path: String, plain: String) {
        #expect(FilePath(path).plain == FilePath(plain))
    }

    @Test func twoDotsLeadOutOfASymlinksTarget() async throws {
        let tree: FileTree = ["far": ["in": [:]], "near": ["link": .symlink(to: "../far/in")]]
        try await tree.withDirectory { folder in
            let far = try folder.appending("far").resolved()
            #expect(folder.appending("near/link/../P").plain == far.appending("P"))
            #expect(folder.appending("near/link/x/..").plain == folder.appending("near/link"))
        }
    }
}
