import Providers
import Testing

/// What makes two links one file.
@Suite struct RemoteMediaTests {
    @Test(arguments: [
        ("https://a.io/v.mp4", "https://a.io:443/v.mp4"),
        ("https://A.io:443/v.mp4?#t=1", "https://a.io:443/v.mp4"),
        // The query names the file.
        ("http://a.io/view?file=2", "http://a.io:80/view?file=2"),
        ("http://a.io/view?file=2&sig=a%2Bb", "http://a.io:80/view?file=2"),
        ("http://a.io/view?b=1&a=2", "http://a.io:80/view?b=1&a=2"),
        ("http://a.io/view?2", "http://a.io:80/view?2"),
        // The query signs the link.
        ("https://a.io/v?X-Amz-Date=1&X-Amz-Signature=ab&response-content-disposition=x", "https://a.io:443/v"),
        ("https://a.io/v?Expires=1&Signature=a&Key-Pair-Id=K", "https://a.io:443/v"),
        ("https://a.io/v?GoogleAccessId=a&Expires=1&Signature=b", "https://a.io:443/v"),
        ("https://a.io/v?q-sign-algorithm=sha1&q-ak=a&q-signature=b&x-cos-security-token=c", "https://a.io:443/v"),
        ("https://a.io/v?x%2Dexpires=1&X-SIGNATURE=2&_jwt=a.b.c&token=t", "https://a.io:443/v"),
        // Short words are Azure's only beside its signature.
        ("https://a.io/v?sv=2021&se=2026&sr=b&sp=r&sig=x", "https://a.io:443/v"),
        ("https://a.io/v?se=2&id=3", "https://a.io:443/v?se=2&id=3"),
        ("inline:3", "inline:3"),
    ])
    func isItsAddressWithoutWhatSignsIt(link: String, identity: String) {
        #expect(RemoteMedia(link, .unknown).identity == identity)
    }
}
