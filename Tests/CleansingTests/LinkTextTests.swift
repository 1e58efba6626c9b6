import TestSupport
import Testing

@testable import Cleansing

/// Links in text from outside, whatever stands around them and however many they are.
@Suite struct LinkTextTests {
    @Test(
        arguments: [
            Fact("no link", "a: b/c", "a: b/c"), Fact("a scheme alone", "://", "://"),
            Fact("a query", "see https://a.example/b?c=d now", "see https://a.example/b?… now"),
            Fact("a fragment", "https://a.example/b#c", "https://a.example/b?…"),
            Fact("a user", "https://u:p@a.example/b", "https://a.example/b"),
            Fact("an at in the path", "https://a.example/@b", "https://a.example/@b"),
            Fact("a user and a query", "https://u@a.example?c", "https://a.example?…"),
            Fact("nothing but a user", "https://u@", "https://"),
            Fact("one after the other", "http://u@a/ http://v@b/?c", "http://a/ http://b/?…"),
            Fact("slashes as JSON has them", #""https:\/\/u:p@a.example\/b?c""#, #""https:\/\/a.example\/b?…""#),
            Fact(
                "of both kinds, the plain one first", #"http://u@a/?x "http:\/\/v@b\/?y" http://w@c/?z"#,
                #"http://a/?… "http:\/\/b\/?…" http://c/?…"#),
            Fact(
                "of both kinds, the plain one last", #""http:\/\/v@b\/?y" http://w@c/?z "http:\/\/x@d""#,
                #""http:\/\/b\/?…" http://c/?… "http:\/\/d""#),
            Fact("a link within a link", "https://a/?next=https://b/c d", "https://a/?… d"),
            Fact("a quote ends it", "'http://u@a/b'?c", "'http://a/b'?c"),
            Fact("so does an angle", "<http://u@a/b?c>d", "<http://a/b?…>d"),
        ] as [Fact<String, String>])
    func credentialsOfLinksGo(_ fact: Fact<String, String>) {
        let shown = LinkText.withoutQueries(fact.input)
        #expect(shown == fact.output)
        #expect(LinkText.withoutQueries(shown) == shown, "once is enough")
    }

    /// A server's answer must not keep the agent busy: all links, of one kind, with one of the other at the very end.
    @Test(arguments: [("://a ", ":\\/\\/b"), (":\\/\\/a ", "://b")])
    func anAnswerThatIsMadeOfLinksIsRead(link: String, last: String) async throws {
        let text = String(repeating: link, count: 65_000 / link.utf8.count) + last
        let shown = try await withLimit("\(text.utf8.count) bytes of links are cleansed", .seconds(20)) {
            LinkText.withoutQueries(text)
        }
        #expect(shown == text)
    }
}
