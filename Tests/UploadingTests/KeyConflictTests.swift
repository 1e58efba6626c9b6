import Testing

@testable import Configuration
@testable import Uploading

@Suite struct KeyConflictTests {
    /// One occupied key, and what becomes of the item.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holder: KeyHolder
        var onForeign = Settings.OnForeign.keepBoth
        var onChange = Settings.OnChange.replace
        var isOriginal = true
        var isBeside = false
        let verdict: KeyVerdict

        var settings: Settings.Upload {
            var settings = Settings.Upload()
            settings.onForeign = onForeign
            settings.onChange = onChange
            return settings
        }
    }

    @Test(arguments: [
        Row(testDescription: "a foreign one is left, ours goes beside", holder: .foreign, verdict: .beside),
        Row(testDescription: "there is no third place", holder: .foreign, isBeside: true, verdict: .refuse),
        Row(testDescription: "fail refuses", holder: .foreign, onForeign: .fail, verdict: .refuse),
        Row(testDescription: "replace replaces", holder: .foreign, onForeign: .replace, verdict: .replace),
        Row(
            testDescription: "replace replaces beside too", holder: .foreign, onForeign: .replace, isBeside: true,
            verdict: .replace),
        Row(testDescription: "another computer's is left", holder: .otherComputer, verdict: .beside),
        Row(
            testDescription: "also where others' are replaced", holder: .otherComputer, onForeign: .replace,
            verdict: .beside),
        Row(testDescription: "or it is told", holder: .otherComputer, onForeign: .fail, verdict: .refuse),
        Row(
            testDescription: "there is no third place beside it", holder: .otherComputer, onForeign: .replace,
            isBeside: true, verdict: .refuse),
        Row(
            testDescription: "what a lost library knew is left", holder: .orphan, onForeign: .replace,
            verdict: .beside),
        Row(
            testDescription: "and keeps nothing from being stored", holder: .orphan, onForeign: .fail, verdict: .beside),
        Row(testDescription: "a changed file replaces ours", holder: .older, verdict: .replace),
        Row(testDescription: "or goes beside it", holder: .older, onChange: .keepBoth, verdict: .beside),
        Row(
            testDescription: "a thumbnail is that of the file as it is", holder: .older, onChange: .keepBoth,
            isOriginal: false, verdict: .replace),
        Row(testDescription: "what is only in storage is set aside", holder: .lastCopy, verdict: .setAside),
        Row(
            testDescription: "what to do with others' says nothing about ours", holder: .older, onForeign: .fail,
            verdict: .replace),
        Row(
            testDescription: "bytes asked for again replace themselves", holder: .unchanged, onForeign: .fail,
            onChange: .keepBoth, verdict: .replace),
        Row(
            testDescription: "what an attempt left is no version", holder: .attempt, onForeign: .fail,
            onChange: .keepBoth, verdict: .replace),
        Row(
            testDescription: "the same bytes need no sending", holder: .same, onForeign: .replace, onChange: .keepBoth,
            verdict: .accept),
    ])
    func theTable(_ row: Row) {
        let verdict = KeyVerdict(row.holder, row.settings, isOriginal: row.isOriginal, isBeside: row.isBeside)
        #expect(verdict == row.verdict)
    }

    @Test(
        arguments: KeyHolder.allCases.filter { ![.foreign, .otherComputer].contains($0) }, Settings.OnForeign.allCases)
    func whatIsOursIsNeverRefused(_ holder: KeyHolder, _ onForeign: Settings.OnForeign) {
        var settings = Settings.Upload()
        settings.onForeign = onForeign
        for isBeside in [false, true] {
            for onChange in Settings.OnChange.allCases {
                settings.onChange = onChange
                for isOriginal in [false, true] {
                    let verdict = KeyVerdict(holder, settings, isOriginal: isOriginal, isBeside: isBeside)
                    #expect(verdict != .refuse)
                }
            }
        }
    }

    @Test(arguments: [
        ("\"abc\"", "abc", true), ("W/\"abc\"", "\"abc\"", true), ("abc", "abd", false), ("\"abc\"", "\"ABC\"", false),
    ])
    func eTagsAreComparedWithoutTheirDress(_ left: String, _ right: String, _ areSame: Bool) {
        #expect((ETag(left) == ETag(right)) == areSame)
    }

    @Test func noETagIsNone() {
        #expect(ETag(nil) == nil)
        #expect(ETag("") == nil)
    }
}
