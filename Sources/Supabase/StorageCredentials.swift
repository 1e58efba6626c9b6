/// Who asks: sent as `Authorization: Bearer` and, for the gateway, as `apikey`.
///
/// Shows neither when printed.
package struct StorageCredentials: Hashable, Sendable {
    package let bearer: String
    package let apiKey: String?

    /// A user's token, with the project's key where there is a gateway.
    package init(bearer: String, apiKey: String? = nil) {
        self.bearer = bearer
        self.apiKey = apiKey
    }

    /// The kind of what is sent as bearer.
    package var kind: KeyKind { KeyKind(bearer) }

    /// A key that stands for itself, such as the service key: sent in both places.
    package init(key: String) {
        self.init(bearer: key, apiKey: key)
    }
}

extension StorageCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "StorageCredentials(hidden)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
