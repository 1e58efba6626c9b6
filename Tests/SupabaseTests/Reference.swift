import Foundation
import TestSupport
import Testing
import Transfer

/// Answers recorded from supabase/storage v1.70.6 (`Tests/Recordings/supabase-storage.json`).
enum Reference {
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        /// The recorded answer as a transport would give it.
        let answer: HTTPResponse
        let description: String
    }

    /// All recorded cases; none where the recording cannot be read, which `RecordingTests` tells.
    static let cases: [Case] = (try? read()) ?? []

    /// Reads the recording; throws where a case is not of the form that is expected.
    static func read() throws -> [Case] {
        let data = try Project.data(of: "Tests/Recordings/supabase-storage.json")
        let root = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(root["cases"] as? [[String: Any]]).map(read)
    }

    /// The cases whose status and body differ from all before them.
    static func distinct(where isWanted: (Case) -> Bool) -> [Case] {
        var seen: Set<[UInt8]> = []
        return cases.filter(isWanted).filter { seen.insert([UInt8($0.answer.status & 255)] + $0.answer.body).inserted }
    }

    private static func read(_ fields: [String: Any]) throws -> Case {
        let name = try #require(fields["name"] as? String)
        let response = try #require(fields["response"] as? [String: Any], "\(name)")
        let status = try #require(response["status"] as? Int, "\(name)")
        let headers = try #require(response["headers"] as? [String: String], "\(name)")
        let body = try #require(response["body"], "\(name)")
        let sorted = HTTPHeaders(headers.sorted { $0.key < $1.key }.map { HTTPHeaders.Field($0.key, $0.value) })
        let answer = HTTPResponse(status: status, headers: sorted, body: bytes(of: body))
        return Case(name: name, answer: answer, description: "\(name): \(status)")
    }

    /// The bytes of a recorded body: text, or JSON.
    private static func bytes(of body: Any) -> [UInt8] {
        if let text = body as? String { return Array(text.utf8) }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        return (try? JSONSerialization.data(withJSONObject: body, options: options)).map(Array.init) ?? []
    }
}
