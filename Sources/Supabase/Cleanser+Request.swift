import Cleansing
import Transfer

extension Cleanser {
    /// Hides the credentials of `request`, and `others` that it carried, in whatever the answer repeats.
    init(answering request: HTTPRequest, hiding others: [String] = []) {
        let signed = ["authorization", "apikey"].compactMap { request.headers[$0] }
        // `Bearer` itself is no secret.
        self.init(hiding: signed.map { String($0.split(separator: " ").last ?? "") } + others)
    }
}
