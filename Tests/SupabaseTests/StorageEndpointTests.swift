import Platform
import Supabase
import Testing

@Suite struct StorageEndpointTests {
    @Test(arguments: [
        ("https://abc.supabase.co/storage/v1", "https://abc.storage.supabase.co/storage/v1"),
        ("https://abc.supabase.in/storage/v1/", "https://abc.storage.supabase.in/storage/v1"),
        ("https://ABC.Supabase.red", "https://abc.storage.supabase.red"),
        ("https://abc.supabase.co:443/storage/v1", "https://abc.storage.supabase.co:443/storage/v1"),
        ("https://abc.storage.supabase.co/storage/v1", "https://abc.storage.supabase.co/storage/v1"),
        ("http://abc.supabase.co/storage/v1", "http://abc.supabase.co/storage/v1"),
        ("https://abc.supabase.com/storage/v1", "https://abc.supabase.com/storage/v1"),
        ("https://abc.supabase.co.evil.org/storage/v1", "https://abc.supabase.co.evil.org/storage/v1"),
        ("https://abc.notsupabase.co/storage/v1", "https://abc.notsupabase.co/storage/v1"),
        ("https://media.example.org/storage/v1", "https://media.example.org/storage/v1"),
        ("https://supabase.co/storage/v1", "https://supabase.co/storage/v1"),
        ("https://.supabase.co/storage/v1", "https://.supabase.co/storage/v1"),
        ("https://abc.supabase.co:x@evil.org", "https://abc.supabase.co:x@evil.org"),
        ("http://127.0.0.1:5000", "http://127.0.0.1:5000"), ("https://[::1]:5000/x", "https://[::1]:5000/x"),
    ])
    func aHostedProjectHasADirectHost(base: String, direct: String) {
        #expect(StorageEndpoint(base: base).direct.base == direct)
    }

    @Test(arguments: [
        ("http://127.0.0.1:5000", true), ("http://127.255.255.254/storage/v1", true), ("http://localhost:9", true),
        ("http://[::1]:9/x", true), ("http://[::1]", true), ("http://127.evil.example", false),
        ("http://127.0.0.1.evil.example/", false), ("http://127.0.0.1@evil.example/", false), ("http://127.0.0", false),
        ("http://127.0.0.256", false), ("http://[::1].evil.example", false), ("http://localhost.example", false),
        ("http://128.0.0.1", false), ("", false), ("http://localhost:80@host", false),
        ("http://127.0.0.1:80@host/x", false), ("http://[::1]:80@host", false), ("http://localhost:80/x@y", true),
        ("http://localhost:80?@host", true), ("http://localhost:80\\@host", false),
    ])
    func onlyThisComputerIsLoopback(base: String, isLoopback: Bool) {
        #expect(StorageEndpoint(base: base).isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("https://abc.supabase.co/storage/v1/", "https://abc.supabase.co"),
        ("http://127.0.0.1:9", "http://127.0.0.1:9"),
        ("https://h/storage/v1/x", "https://h/storage/v1/x"),
    ])
    func peopleReadTheAddressWithoutTheGatewaysPath(base: String, address: String) {
        #expect(StorageEndpoint(base: base).address == address)
    }

    @Test func aSocketIsAsDirectAsItGets() {
        let endpoint = StorageEndpoint(base: "https://abc.supabase.co", unixSocket: "/run/s")
        #expect(endpoint.direct == endpoint)
    }
}
