import Providers
import Testing

@Suite struct ContentDispositionTests {
    @Test(arguments: [
        (nil, nil),
        ("inline", nil),
        ("attachment; filename=clip.mp4", "clip.mp4"),
        (#"attachment; filename="My; clip.mp4"; size=3"#, "My; clip.mp4"),
        (#"attachment; FileName="a \"b\".mp4""#, #"a "b".mp4"#),
        ("attachment; filename=x.mp4; filename*=UTF-8''Caf%C3%A9%20am%20See.mp4", "Café am See.mp4"),
        ("attachment; filename*=latin-9''x.mp4; filename=y.mp4", "y.mp4"),
        (#"attachment; filename="../../etc/passwd""#, "passwd"),
        (#"attachment; filename="C:\temp\a.mp4""#, "a.mp4"),
        ("attachment; filename*=UTF-8''a%2F%CC%81b.mp4", "\u{301}b.mp4"),
        ("attachment; filename*=UTF-8''a%5C%CC%81b.mp4", "\u{301}b.mp4"),
        (#"attachment; filename="..""#, nil),
        (#"attachment; filename="""#, nil),
        ("attachment; filename=", nil),
    ])
    func theNameIsRead(_ row: (header: String?, name: String?)) {
        #expect(ContentDisposition.fileName(in: row.header) == row.name)
    }

    @Test func directionAndControlCharactersAreRemoved() {
        let header = "attachment; filename*=UTF-8''gpj.%E2%80%AE%1B%5B2Jclip.mp4"
        let name = ContentDisposition.fileName(in: header) ?? ""
        #expect(name.hasSuffix("clip.mp4"))
        #expect(name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }
}
