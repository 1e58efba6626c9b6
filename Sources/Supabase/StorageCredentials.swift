/// What a request is signed with: sent as `Authorization: Bearer` and, for the gateway, as `apikey`.
///
/// Printing it shows neither value.
package struct StorageCredentials: Hashable, Sendable {
    /// A user's access token, or one of the project's keys; secret.
    package let bearer: String
    /// The project's key for its gateway; `nil` where there is no gateway.
    package let apiKey: String?
    /// The file, variable or keyring that the key stands in; `nil` for a token, or where it is not known.
    package let origin: String?

    /// A user's token, with the project's key where there is a gateway.
    package init(bearer: String, apiKey: String? = nil) {
        self.init(bearer: bearer, apiKey: apiKey, origin: nil)
    }

    private init(bearer: String, apiKey: String?, origin: String?) {
        self.bearer = bearer
        self.apiKey = apiKey
        self.origin = origin
    }

    /// The kind of the key or token sent as bearer.
    package var kind: KeyKind { KeyKind(bearer) }

    /// A key that is both bearer and `apikey`, such as the service key, and the file, variable or keyring that has it.
    package init(key: String, origin: String? = nil) {
        self.init(bearer: key, apiKey: key, origin: origin)
    }
}

extension StorageCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A constant text, so that logs never hold a token.
    package var description: String { "StorageCredentials(hidden)" }
    /// The same constant text as `description`.
    package var debugDescription: String { description }
    /// A mirror without children, so that dumps never hold a token.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
