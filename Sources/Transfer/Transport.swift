/// Sends requests: `HTTPClient` over the network, a scripted double in tests.
package protocol Transport: Sendable {
    /// Sends `request` and returns its answer, whatever the status.
    ///
    /// Cancelling the task abandons the request at once. Throws only when no answer arrived.
    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse
}
