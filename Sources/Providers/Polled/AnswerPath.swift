import Formats
import Supabase

/// Why a fact about a provider's API makes no sense.
package struct FactFault: Error, Hashable, Sendable {
    /// The end of a sentence that begins with the fact's name, without a full stop.
    package let reason: String
}

/// A place in an answer: names and positions between dots, such as `output.0.url`; `*` is each member.
package struct AnswerPath: Hashable, Sendable {
    /// The path as it is written.
    let text: String

    /// Throws if a part is empty or has characters that no member of an answer has in its name.
    package init(_ text: String) throws(FactFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 200, parts.allSatisfy({ $0 == "*" || Self.isName($0) }) else {
            throw FactFault(reason: "is \"\(text)\", expected names between dots, like \"output.video.url\"")
        }
        self.text = text
    }

    private static func isName(_ part: Substring) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#"*"'{}[]\/"#.utf8.contains($0) }
    }

    /// The last name in the path, which tells what the value is.
    var name: String {
        String(text.split(separator: ".").last { $0 != "*" && Int(digits: $0) == nil } ?? "")
    }
}

extension AnswerPath: ExpressibleByStringLiteral {
    /// A path in our own tables; a malformed one stops the program, so that no test can pass with it.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("The path \(error.reason).")
        }
    }
}

extension JSONValue {
    /// The values at `path`, in order; null counts as missing.
    func all(at path: AnswerPath) -> [JSONValue] {
        path.text.split(separator: ".").reduce([self]) { found, part in found.flatMap { $0.members(part) } }
    }

    /// The first value at any of `paths`.
    func first(at paths: [AnswerPath]) -> JSONValue? {
        paths.lazy.compactMap { self.all(at: $0).first }.first
    }

    /// Whether it is the user's own input, which Gemini's interactions repeat as a step.
    var isInput: Bool { self["type"] == .string("user_input") }

    private func members(_ part: Substring) -> [JSONValue] {
        switch self {
        case .object(let members) where part == "*":
            return members.sorted { $0.key < $1.key }.map(\.value).filter { $0 != .null }
        case .object: return self[String(part)].map { [$0] } ?? []
        case .array(let elements) where part == "*": return elements.filter { $0 != .null && !$0.isInput }
        case .array(let elements):
            guard let index = Int(digits: part), elements.indices.contains(index), elements[index] != .null else {
                return []
            }
            return [elements[index]]
        default: return []
        }
    }
}
