import Foundation
import Platform
import TestSupport
import Testing

@testable import Configuration
@testable import Text

@Suite struct SettingTests {
    /// The shipped file, parsed.
    static func shipped() throws -> [String: SettingValue] {
        let bytes = [UInt8](try Project.data(of: "config/gallery-sync.json5"))
        var sources = SettingSources(home: "/home/ada")
        sources.file = ConfigurationFile(path: "/c.json5", bytes: bytes)
        return Dictionary(uniqueKeysWithValues: try sources.fileValues(sources.profiles()).map { ($0.key, $0.value) })
    }

    @Test func theShippedFileListsEverySettingAndNothingElse() throws {
        #expect(try Self.shipped().keys.sorted() == Setting.all.map(\.key).sorted())
    }

    @Test(arguments: Setting.all.map(\.key))
    func theShippedFileEqualsTheDefault(_ key: String) throws {
        let setting = try #require(Setting.named(key))
        let value = try #require(try Self.shipped()[key])
        var settings = Settings()
        try setting.assign(value, &settings)
        #expect(setting.value(settings) == setting.value(Settings()))
    }

    @Test(arguments: Setting.all.map(\.key))
    func whatIsShownCanBeReadBack(_ key: String) throws {
        let setting = try #require(Setting.named(key))
        var settings = Settings()
        try setting.assign(setting.value(Settings()), &settings)
        #expect(settings == Settings())
        try setting.assignSpoken(setting.value(Settings()).line, &settings)
        #expect(settings == Settings())
    }

    @Test func variablesAreNamedAfterTheirKeys() {
        #expect(Setting.named("upload.limitRate")?.variable == "GALLERY_SYNC_UPLOAD_LIMIT_RATE")
        #expect(Setting.named("roots")?.variable == "GALLERY_SYNC_ROOTS")
        let names = Setting.all.map(\.variable) + Setting.otherVariables
        #expect(Set(names).count == names.count)
    }

    @Test func tenAttemptsMakeAboutTwoDays() {
        let retry = Settings().retry
        var (total, wait) = (Duration.zero, retry.base)
        for _ in 1..<retry.attempts {
            total += min(wait, retry.cap)
            wait = wait * retry.factor
        }
        #expect(total > .seconds(45 * 3600) && total < .seconds(51 * 3600))
    }

    @Test func levelsAreOrdered() {
        #expect(LogLevel.error < .info && LogLevel.info < .trace)
        #expect(LogLevel.allCases.sorted() == LogLevel.allCases)
    }

    @Test func aLineOfJSONEscapesWhatItMust() {
        let value = SettingValue.table(["b": .text("a\"\\\n\u{1}é"), "a": .list([.decimal(2), .null, .flag(true)])])
        #expect(value.line == #"{"a": [2, null, true], "b": "a\"\\\n\u0001é"}"#)
    }
}
