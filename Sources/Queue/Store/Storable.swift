/// An entry of a state file that is kept with a journal, such as an upload's item or a job.
package protocol Storable: Codable, Hashable, Identifiable, Sendable where ID: Codable & Sendable {
    /// What its files begin with, such as `queue`.
    static var storeName: String { get }
    /// The key of the list in the file, such as `items`.
    static var listName: String { get }
    /// What the head of the file says about all of them, as JSON; `nil` for nothing.
    static func summary(of entries: [Self]) -> String?
    /// The entry as one line of JSON, without a newline.
    func line() -> [UInt8]
}

extension Storable {
    package static func summary(of entries: [Self]) -> String? { nil }
}
