import Output
import Platform
import Testing

@testable import CommandLine
@testable import GallerySync

/// A root's name that is set in the configuration after the root was stored under another one.
@Suite struct RootNameTests {
    @Test(arguments: ["sync", "status", "config check"])
    func thatItIsNotLookedAtIsSaid(command: String) async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one"]) { fixture async throws in
            let roots = "{path: \"\(fixture.home.display)/Pictures\"NAME}"
            let text =
                "{profiles: {default: {destination: {local: true}, thumbnails: {enabled: false}, roots: [\(roots)]}}}"
            try fixture.write(text.replacing("NAME", with: ""), to: fixture.configurationPath)
            let words =
                "HOME/Pictures stays the root Pictures, since the keys of what is stored begin with that: the "
                + "name Fotos in the configuration is not looked at"
            #expect(await fixture.run("sync --set scan.settle=0s") == .success)
            #expect(await fixture.run("\(command) --set scan.settle=0s") == .success)
            #expect(try !fixture.results.replacing(/\s+/, with: " ").contains("Fotos"))
            try fixture.write(text.replacing("NAME", with: ", name: \"Fotos\""), to: fixture.configurationPath)
            #expect(await fixture.run("\(command) --set scan.settle=0s") == .success)
            #expect(try fixture.results.replacing(/\s+/, with: " ").contains(words))
        }
    }

    /// Two folders of one name: the second one's has a number, which is no name that was not taken.
    @Test func aNameThatAnotherRootHadFirstIsNotTold() async throws {
        try await CommandFixture.with(["Pictures/a.jpg": "one", "Old/b.jpg": "two"]) { fixture async throws in
            let roots = ["Pictures", "Old"].map { "{path: \"\(fixture.home.display)/\($0)\", name: \"Fotos\"}" }
            try fixture.write(
                "{profiles: {default: {destination: {local: true}, thumbnails: {enabled: false}, roots: [\(roots[0])]}}}",
                to: fixture.configurationPath)
            #expect(await fixture.run("sync --set scan.settle=0s -q") == .success)
            #expect(await fixture.run("config check") == .success)
            #expect(try !fixture.results.contains("is not looked at"))
        }
    }
}
