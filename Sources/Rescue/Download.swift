import Platform
package import Providers
import Queue
package import Transfer

/// Requests the next bytes of a file; every link and every peer address is checked against the rules.
///
/// Links are checked before they are followed, and addresses before they are connected to.
package struct Download: Sendable {
    let transport: any Transport
    let rules: LinkRules
    /// Bytes that one request asks for; what each request brought is made durable before the next.
    let chunk: Int64
    /// Called with the total bytes received so far, while a request runs.
    var heard: (@Sendable (Int64) -> Void)?

    /// A download that may only follow links that `rules` permit.
    ///
    /// - Parameter chunk: Bytes that one request asks for at most.
    package init(transport: any Transport, rules: LinkRules, chunk: Int64, heard: (@Sendable (Int64) -> Void)? = nil) {
        self.transport = transport
        self.rules = rules
        self.chunk = chunk
        self.heard = heard
    }
    /// Redirects that one request may follow.
    static let redirects = 5

    /// Sends one request and follows its redirects; the bytes are written to `part`.
    ///
    /// The headers of `account` are sent to its own origin only. Throws only `CancellationError`.
    func step(of file: JobFile, account: ProviderAccount?, to part: OpenFile) async throws -> DownloadStep {
        try await answer(for: file, account: account, to: part).step
    }

    /// The same as `step`, with the name that the answer gives the file.
    func answer(
        for file: JobFile, account: ProviderAccount?, to part: OpenFile
    ) async throws -> (step: DownloadStep, name: String?) {
        var link = file.link
        for _ in 0...Self.redirects {
            if let refusal = rules.refusal(of: link) { return (DownloadStep(refusal), nil) }
            let limit = rules.allowance(promised: file.total ?? file.size)
            let request = request(link, for: file, account, part, limit)
            let response: HTTPResponse
            do throws(TransferError) {
                response = try await transport.send(request)
            } catch {
                if error.kind == .cancelled { throw CancellationError() }
                return (DownloadStep(error, limit: limit), nil)
            }
            guard let location = Self.target(of: response) else {
                let name = ContentDisposition.fileName(in: response.headers["content-disposition"])
                return (DownloadStep(response, for: file, chunk: chunk), name)
            }
            do throws(LinkRefusal) {
                link = try rules.target(of: location, from: link)
            } catch {
                // For now the link may lead to a network's sign-in page, or to a host that the next settings allow.
                return (.retry(DownloadStep.failure(.rescue(.refused), "\(error)", isRetryable: true)), nil)
            }
        }
        let words = "The link redirects more than \(Self.redirects) times"
        return (.retry(DownloadStep.failure(.rescue(.refused), words, isRetryable: true)), nil)
    }

    /// The size of the file in bytes, from a request for its first byte; `nil` where the answer has none.
    ///
    /// A HEAD request would be refused where a link is signed for GET.
    package func size(of file: JobFile, account: ProviderAccount?) async -> Int64? {
        var link = file.link
        for _ in 0...Self.redirects where rules.refusal(of: link) == nil {
            var request = HTTPRequest(
                .get, link, headers: headers(of: file, account, link), answer: .memory(limit: 4_096))
            request.headers["range"] = "bytes=0-0"
            request.timeouts = Timeouts(connect: .seconds(5), idle: .seconds(5), total: .seconds(10))
            judge(&request)
            guard let response = try? await transport.send(request) else { return nil }
            guard let location = Self.target(of: response) else {
                return response.status == 206 ? ContentRange(response.headers["content-range"])?.size : nil
            }
            guard let next = try? rules.target(of: location, from: link) else { return nil }
            link = next
        }
        return nil
    }

    private func request(
        _ link: String, for file: JobFile, _ account: ProviderAccount?, _ part: OpenFile, _ limit: Int64
    ) -> HTTPRequest {
        var headers = headers(of: file, account, link)
        for field in file.rangeHeaders(chunk).fields { headers[field.name] = field.value }
        var request = HTTPRequest(
            .get, link, headers: headers, answer: .file(part, at: file.offset, limit: limit))
        if let heard { request.progress = { heard($0.received) } }
        judge(&request)
        return request
    }

    /// The account's credentials, if the file needs them and the link leads to the account's own origin.
    private func headers(of file: JobFile, _ account: ProviderAccount?, _ link: String) -> HTTPHeaders {
        guard file.needsAccount, let account, account.owns(link) else { return HTTPHeaders() }
        return account.headers(for: link)
    }

    /// Lets the request connect only to addresses that the rules permit for its link.
    private func judge(_ request: inout HTTPRequest) {
        let (rules, link) = (rules, request.url)
        request.permitsPeer = { rules.refusal(of: link, resolvedTo: [$0]) == nil }
    }

    private static func target(of response: HTTPResponse) -> String? {
        [301, 302, 303, 307, 308].contains(response.status) ? response.headers["location"] : nil
    }
}
