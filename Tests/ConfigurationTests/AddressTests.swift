import TestSupport
import Testing

@testable import Configuration

/// Addresses that users type or copy, as settings read them.
@Suite struct AddressTests {
    @Test(
        arguments: [
            Fact("a project", "https://abc.supabase.co", "https://abc.supabase.co"),
            Fact("copied with its slash", "https://abc.supabase.co/", "https://abc.supabase.co/"),
            Fact("typed in capitals", "HTTPS://ABC.SUPABASE.CO/", "https://ABC.SUPABASE.CO/"),
            Fact("a scheme in both cases", "Http://localhost:54321", "http://localhost:54321"),
            Fact("with a path of its own", "http://10.0.0.1:8000/storage/v1", "http://10.0.0.1:8000/storage/v1"),
            Fact("an IPv6 address with a port", "http://[::1]:54321", "http://[::1]:54321"),
            Fact("a bracket that is not closed", "https://[::1", nil),
            Fact("the greatest port", "https://a.example:65535", "https://a.example:65535"),
            Fact("a port beyond it", "https://a.example:65536", nil),
            Fact("port 0", "https://a.example:0", nil),
            Fact("no port behind the colon", "https://a.example:", nil),
            Fact("the dashboard's page of the project", "https://supabase.com/dashboard/project/abc", nil),
            Fact("the same in capitals", "https://Supabase.COM/dashboard/project/abc", nil),
            Fact("its former place", "https://app.supabase.com/project/abc", nil),
            Fact("a host that only ends like it", "https://mysupabase.com", "https://mysupabase.com"),
            Fact("another scheme", "ftp://a.example", nil),
            Fact("a scheme that begins like it", "httpss://a.example", nil),
            Fact("no scheme", "a.example", nil),
            Fact("a user", "https://ada@a.example", nil),
            Fact("a user called as this computer", "http://localhost:80@a.example", nil),
            Fact("no host", "https://", nil),
            Fact("no host before the path", "https:///storage/v1", nil),
            Fact(
                "an address within an address", "https://a.example/https://b.example",
                "https://a.example/https://b.example"),
            Fact("a space", "https://a.example/a b", nil),
            Fact("a letter that no host has", "https://ä.example", nil),
        ] as [Fact<String, String?>])
    func whatAnAddressIsReadAs(_ fact: Fact<String, String?>) {
        #expect((try? SettingFormat.storageAddress.read(.text(fact.input))) == fact.output)
    }

    @Test func otherServersMayLieAtThePlaceOfTheDashboard() {
        let page = "https://supabase.com/dashboard"
        #expect((try? SettingFormat.webAddress.read(.text(page))) == page)
        #expect(throws: SettingFault.self) { try SettingFormat.webAddress.read(.integer(5)) }
    }
}
