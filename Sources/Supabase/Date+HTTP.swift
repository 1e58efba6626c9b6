import Formats
import FoundationEssentials

extension Date {
    /// The moment that a header such as `Date` names; `nil` where the text is none.
    init?(httpDate text: String) {
        guard let seconds = HTTPDate.seconds(text) else { return nil }
        self.init(timeIntervalSince1970: Double(seconds))
    }
}
