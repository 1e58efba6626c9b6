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

    /// Copies an object; `nil` where the server refuses for good, so that only an upload can help.
    package func copyIfPermitted(
        bucket: String, from source: String, to destination: String, newMetadata: CopyMetadata
    ) async throws(StorageError) -> StoredObject? {
        do throws(StorageError) {
            return try await copy(bucket: bucket, from: source, to: destination, newMetadata: newMetadata)
        } catch {
            guard error.forbidsRelocation else { throw error }
            return nil
        }
    }
}

extension StorageError {
    /// Whether it is a refusal that neither a retry nor a new sign-in can change; no answer refuses nothing.
    fileprivate var forbidsRelocation: Bool { refusal != nil && !isRetryable && !isSignIn }
}
