package import Cleansing
package import Transfer

extension Cleanser {
    /// Hides what `request` was signed in with, and `others` that went along, in whatever the answer repeats.
    package init(answering request: HTTPRequest, hiding others: [String] = []) {
        let signed = ["authorization", "apikey", "x-signature"].compactMap { request.headers[$0] }
        // `Bearer` itself is no secret.
        self.init(hiding: signed.map { String($0.split(separator: " ").last ?? "") } + others)
    }
}
