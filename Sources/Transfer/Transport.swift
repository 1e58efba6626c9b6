/// Sends requests; the real one is `HTTPClient`, tests script theirs.
package protocol Transport: Sendable {
    /// Sends `request` and waits for its answer, whatever the status.
    ///
    /// Cancelling the task abandons the request at once. Throws only when no answer arrived.
    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse
}
