import Foundation
import Transfer

/// Answers recorded from a real service; they lie beside the project, not in it.
enum Reference {
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        /// The recorded answer as a transport would give it.
        let answer: HTTPResponse
        let description: String
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/conformance/reference.json").standardizedFileURL

    static let isPresent = FileManager.default.fileExists(atPath: file.path)

    /// All recorded cases; none where the recording is absent.
    static let cases: [Case] = {
        guard let data = try? Data(contentsOf: file), let root = try? JSONSerialization.jsonObject(with: data),
            let cases = (root as? [String: Any])?["cases"] as? [[String: Any]]
        else { return [] }
        return cases.compactMap(read)
    }()

    /// Those with a status and a body that none before them has.
    static func distinct(where isWanted: (Case) -> Bool) -> [Case] {
        var seen: Set<[UInt8]> = []
        return cases.filter(isWanted).filter { seen.insert([UInt8($0.answer.status & 255)] + $0.answer.body).inserted }
    }

    private static func read(_ fields: [String: Any]) -> Case? {
        guard let name = fields["name"] as? String, let response = fields["response"] as? [String: Any],
            let status = response["status"] as? Int, let headers = response["headers"] as? [String: String],
            let body = response["body"]
        else { return nil }
        let sorted = HTTPHeaders(headers.sorted { $0.key < $1.key }.map { HTTPHeaders.Field($0.key, $0.value) })
        let answer = HTTPResponse(status: status, headers: sorted, body: bytes(of: body))
        return Case(name: name, answer: answer, description: "\(name): \(status)")
    }

    /// The body again as it was sent: text, or JSON that the recording holds as JSON.
    private static func bytes(of body: Any) -> [UInt8] {
        if let text = body as? String { return Array(text.utf8) }
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        return (try? JSONSerialization.data(withJSONObject: body, options: options)).map(Array.init) ?? []
    }
}
