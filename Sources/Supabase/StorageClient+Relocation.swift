extension StorageClient {
    /// Moves an object; `false` where the server refuses for good, so that only an upload can help.
    package func moveIfPermitted(
        bucket: String, from source: String, to destination: String
    ) async throws(StorageError) -> Bool {
        do throws(StorageError) {
            try await move(bucket: bucket, from: source, to: destination)
            return true
        } catch {
            guard error.forbidsRelocation else { throw error }
            return false
        }
    }

    /// Copies an object, unless the server refuses for good, so that only an upload can help.
    package func copyIfPermitted(
        bucket: String, from source: String, to destination: String, newMetadata: CopyMetadata
    ) async throws(StorageError) -> CopyAnswer {
        do throws(StorageError) {
            return .made(try await copy(bucket: bucket, from: source, to: destination, newMetadata: newMetadata))
        } catch {
            guard error.forbidsRelocation else { throw error }
            return error.isDuplicate ? .taken : .refused
        }
    }
}

/// What a server answers to a copy, if not that it should be asked once more.
package enum CopyAnswer: Hashable, Sendable {
    case made(StoredObject)
    /// The new key has an object: another one, or, if the request arrived twice, the copy itself.
    case taken
    /// Refused for good, such as by a policy.
    case refused
}

extension StorageError {
    /// Whether it is a refusal that neither a retry nor a new sign-in can change; no answer refuses nothing.
    fileprivate var forbidsRelocation: Bool { refusal != nil && !isRetryable && !isSignIn }
}
