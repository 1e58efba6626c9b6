import Foundation
import TestSupport
import Testing

@testable import Reporting

/// How words are put together for people, and kept harmless where they are shown.
@Suite struct SentenceTests {
    @Test(
        arguments: [
            Fact("two sentences", ("It is full", "Make room."), "It is full. Make room."),
            Fact("one that has its full stop", ("It is full.", "Make room."), "It is full. Make room."),
            Fact("one that asks", ("Is it full?", "Make room."), "Is it full? Make room."),
            Fact("one that exclaims", ("Full!", "Make room."), "Full! Make room."),
            Fact("nothing to do", ("It is full", ""), "It is full."),
            Fact("nothing to do, with a full stop", ("It is full.", ""), "It is full."),
            Fact("a message that ends with a quote", ("It said \"no\"", "Ask."), "It said \"no\". Ask."),
        ] as [Fact<(what: String, next: String), String>])
    func sentencesEndOnce(_ fact: Fact<(what: String, next: String), String>) {
        #expect(Sentence.text(fact.input.what, next: fact.input.next) == fact.output)
    }

    /// A step that the message names already is not said again.
    @Test(arguments: [
        Fact("a message without a step", "No route", "No route. Check the network."),
        Fact("a command in it", "Run \"gallery-sync login\"", "Run \"gallery-sync login\"."),
        Fact("a dashboard in it", "Wake it in the dashboard.", "Wake it in the dashboard."),
        Fact("a clock in it", "Check this computer's clock", "Check this computer's clock."),
        Fact("a word that only looks like one", "gallery-sync said no", "gallery-sync said no. Check the network."),
    ])
    func aStepIsSaidOnce(_ fact: Fact<String, String>) {
        #expect(Sentence.mended(fact.input, next: "Check the network.") == fact.output)
    }

    @Test(arguments: [
        ("It is full.", "It is full"), ("It is full", "It is full"), ("Wait..", "Wait."), (".", ""), ("", ""),
    ])
    func anOpenSentenceHasNoFullStop(text: String, open: String) { #expect(Sentence.open(text) == open) }

    @Test(arguments: [
        Fact("markup", "<b a='1' c=\"2\">&amp;</b>", "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;"),
        Fact("a character that an accent follows", "<\u{338}script>", "&lt;\u{338}script&gt;"),
        Fact("quotes that an accent follows", "\"\u{301}'\u{301}", "&quot;\u{301}&#39;\u{301}"),
        Fact("an escape sequence", "a\u{1B}[2Jb", "a·[2Jb"), Fact("a direction override", "a\u{202E}b", "a·b"),
        Fact("lines", "a\r\nb", "a··b"), Fact("NUL", "a\0b", "a·b"), Fact("any script", "写真 é 👩‍👧", "写真 é 👩‍👧"),
        Fact("nothing", "", ""),
    ])
    func whatGoesIntoAPageIsNoMarkup(_ fact: Fact<String, String>) {
        #expect(HTMLText.escaped(fact.input) == fact.output)
    }

    private static let now = Reports.now

    @Test(arguments: [
        Fact("now", 0, "now"), Fact("less than half a second", 0.49, "now"), Fact("and before", -0.49, "now"),
        Fact("half a second", 0.5, "in 1 s"), Fact("a second ago", -1, "1 s ago"), Fact("a minute", 60, "in 1 min"),
        Fact("two hours and five minutes ago", -7_500, "2 h 5 min ago"), Fact("three days", 259_200, "in 3 days"),
        Fact("as long ago as dates go", -6e10, "694444 days 10 h ago"),
    ])
    func momentsAreTold(_ fact: Fact<Double, String>) {
        #expect(Moment.relative(Self.now + fact.input, to: Self.now) == fact.output)
    }

    /// Moments of other programs and of broken clocks are told, too.
    @Test(
        arguments: [
            Fact("one of ours", now, ("2026-11-20 10:00 UTC", "20 Nov")),
            Fact(
                "the first day of a year", Date(timeIntervalSince1970: 1_767_225_599),
                ("2025-12-31 23:59 UTC", "31 Dec")),
            Fact("before 1970", Date(timeIntervalSince1970: -1), ("1969-12-31 23:59 UTC", "31 Dec")),
            Fact("the farthest", .distantFuture, ("2262-04-11 23:47 UTC", "11 Apr")),
            Fact("the earliest", .distantPast, ("1677-09-21 00:12 UTC", "21 Sep")),
        ] as [Fact<Date, (text: String, day: String)>])
    func datesAreWritten(_ fact: Fact<Date, (text: String, day: String)>) {
        #expect(Moment.text(fact.input) == fact.output.text)
        #expect(Moment.day(fact.input) == fact.output.day)
    }
}
