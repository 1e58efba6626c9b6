import Supabase
import Transfer

/// A question about a job that is a POST: its path contains the id's beginning, its body the whole id.
package struct JobQuery: Hashable, Sendable {
    /// The part of an id that follows the beginning, such as `/operations/`.
    let end: String
    /// The body's member that has the whole id.
    let member: String

    /// A question of our own tables.
    init(idUpTo end: String, member: String) {
        self.end = end
        self.member = member
    }
}

extension JobAPI {
    /// The call that asks about the job.
    func question(about id: String) -> (method: HTTPMethod, path: String, json: JSONValue?) {
        if let query {
            let start = id.firstRange(of: query.end).map { String(id[..<$0.lowerBound]) } ?? id
            return (.post, ask.filled(start), .object([query.member: .string(id)]))
        }
        for (prefix, path) in asks where id.hasPrefix(prefix) {
            return (.get, path.filled(String(id.dropFirst(prefix.count))), nil)
        }
        return (.get, ask.filled(id), nil)
    }
}
