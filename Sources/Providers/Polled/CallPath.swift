import Transfer

/// The path of a call below the base URL, such as `/tasks/{id}`, in which `{id}` is replaced by the job's id.
package struct CallPath: Hashable, Sendable {
    /// The path as it is written, with its query.
    package let text: String

    /// Throws if it is not a path, or has anything but `id` in braces.
    package init(_ text: String) throws(FactFault) {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let isPath = text.hasPrefix("/") && !text.hasPrefix("//") && !text.contains("/../")
        guard isPath, text.utf8.count <= 500, parts.count <= 2, parts.dropFirst().allSatisfy({ $0.hasPrefix("id}") }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"#\\\"".utf8.contains($0) })
        else { throw FactFault(reason: "is \"\(text)\", expected a path below the url, like \"/jobs/{id}\"") }
        self.text = text
    }

    /// Whether the path contains an id.
    package var takesID: Bool { text.contains("{id}") }

    /// The path for `id`, which is escaped.
    func filled(_ id: String) -> String {
        text.replacing("{id}", with: ProviderAccount.escaped(id))
    }

    /// The part of the path before the id, such as `tasks`.
    var collection: String? {
        let parts = text.prefix { $0 != "?" }.split(separator: "/")
        return parts.firstIndex(of: "{id}").flatMap { $0 > 0 ? String(parts[$0 - 1]) : nil }
    }
}

extension CallPath: ExpressibleByStringLiteral {
    /// A path in our own tables; a malformed one stops the program, so that no test can pass with it.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("The path \(error.reason).")
        }
    }
}

/// A call that changes something: its method and its path.
package struct JobCall: Hashable, Sendable {
    /// POST, PUT or DELETE.
    let method: HTTPMethod
    /// Where it is sent.
    let path: CallPath

    /// A call of our own tables.
    init(_ method: HTTPMethod, _ path: CallPath) {
        self.method = method
        self.path = path
    }

    /// Reads `POST /jobs/{id}/cancel`; throws for any other form.
    package init(_ text: String) throws(FactFault) {
        let methods: [Substring: HTTPMethod] = ["POST": .post, "PUT": .put, "DELETE": .delete]
        let words = text.split(separator: " ")
        guard words.count == 2, let method = methods[words[0]] else {
            throw FactFault(reason: "is \"\(text)\", expected a method and a path, like \"POST /jobs/{id}/cancel\"")
        }
        self.init(method, try CallPath(String(words[1])))
    }
}
