import Configuration
import Platform
import TestSupport
import Testing

@Suite struct ConfigurationFileTests {
    @Test func itsBytesAreReadAsTheyAre() throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path.appending("c.json5")
        try OpenFile(creating: path).append([1, 2, 0xFF])
        #expect(try ConfigurationFile.read(path, isNamed: true)?.bytes == [1, 2, 0xFF])
    }

    @Test func aMissingOneIsFineUnlessItWasNamed() throws {
        #expect(try ConfigurationFile.read("/nowhere/c.json5", isNamed: false) == nil)
        let error = #expect(throws: SettingsError.self) {
            try ConfigurationFile.read("/nowhere/c.json5", isNamed: true)
        }
        #expect(error?.description == "/nowhere/c.json5 cannot be read: No such file or directory.")
    }

    @Test func whatIsNoFileIsRefused() throws {
        #expect(throws: SettingsError.self) { try ConfigurationFile.read("/", isNamed: false) }
    }
}
