/// An entry of a state file that is kept with a journal, such as an upload's item or a job.
package protocol Storable: Codable, Hashable, Identifiable, Sendable where ID: Codable & Sendable {
    /// The start of its files' names, such as `queue`.
    static var storeName: String { get }
    /// The key of the list in the file, such as `items`.
    static var listName: String { get }
    /// The summary of all entries for the head of the file, as JSON; `nil` for none.
    static func summary(of entries: [Self]) -> String?
    /// The entry as one line of JSON, without a newline.
    func line() -> [UInt8]
}

extension Storable {
    /// No summary: readers have to load the entries.
    package static func summary(of entries: [Self]) -> String? { nil }
}
