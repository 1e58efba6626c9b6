import Foundation
import Supabase
import Testing
import Transfer

@Suite struct ClockSkewTests {
    private static let noon: HTTPHeaders = ["Date": "Fri, 20 Nov 2026 12:00:00 GMT"]
    private static let now = Date(timeIntervalSince1970: 1_795_176_000)

    @Test(
        arguments: [
            (0, nil), (59, nil), (-59, nil), (60, "1 minute ahead of"), (-90, "2 minutes behind"),
            (3600, "60 minutes ahead of"), (-7200, "2 hours behind"), (172_800, "2 days ahead of"),
        ] as [(Double, String?)])
    func onlyWhatMattersIsSaid(seconds: Double, words: String?) throws {
        let skew = try #require(ClockSkew(Self.noon, now: Self.now + seconds))
        #expect(skew.ahead == .seconds(seconds))
        #expect(skew.matters == (words != nil))
        let warning = words.map {
            "This computer's clock is \($0) the server's. Set it right (\"timedatectl set-ntp true\")."
        }
        #expect(skew.warning == warning)
    }

    @Test(arguments: [[:], ["Date": "soon"], ["Date": "2026-11-20T12:00:00Z"]] as [HTTPHeaders])
    func withoutADateNothingIsKnown(headers: HTTPHeaders) {
        #expect(ClockSkew(headers, now: Self.now) == nil)
    }

    @Test func aRefusalKeepsTheServersTime() {
        let refusal = StorageRefusal(HTTPResponse(status: 400, headers: Self.noon))
        #expect(refusal.serverTime == Self.now)
    }
}
