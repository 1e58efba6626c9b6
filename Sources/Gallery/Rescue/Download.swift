import Platform
import Providers
import Transfer

/// Asks for the next bytes of a file: judges every link before it is followed, and every address before it is
/// connected to.
struct Download: Sendable {
    let transport: any Transport
    let rules: LinkRules
    /// Bytes of one request; every so many are made durable.
    let chunk: Int64
    /// Redirects of one request.
    static let redirects = 5

    /// One request, and those that redirects lead to; its bytes go to `part`.
    ///
    /// Headers of `account` go to its own origin only. Throws only `CancellationError`.
    func step(of file: JobFile, account: ProviderAccount?, to part: OpenFile) async throws -> DownloadStep {
        var link = file.link
        for _ in 0...Self.redirects {
            if let refusal = rules.refusal(of: link) { return DownloadStep(refusal) }
            let limit = rules.allowance(promised: file.total ?? file.size)
            let request = request(link, for: file, account, part, limit)
            let response: HTTPResponse
            do throws(TransferError) {
                response = try await transport.send(request)
            } catch {
                if error.kind == .cancelled { throw CancellationError() }
                return DownloadStep(error, limit: limit)
            }
            guard let location = Self.target(of: response) else {
                return DownloadStep(response, for: file, chunk: chunk)
            }
            do throws(LinkRefusal) {
                link = try rules.target(of: location, from: link)
            } catch {
                return DownloadStep(error)
            }
        }
        return .refused(DownloadStep.failure("rescue.refused", "The link redirects more than \(Self.redirects) times"))
    }

    private func request(
        _ link: String, for file: JobFile, _ account: ProviderAccount?, _ part: OpenFile, _ limit: Int64
    ) -> HTTPRequest {
        var headers = file.rangeHeaders(chunk)
        if file.needsAccount, let account, account.owns(link) {
            for field in account.headers(for: link).fields { headers.append(field.name, field.value) }
        }
        var request = HTTPRequest(
            .get, link, headers: headers, answer: .file(part, at: file.offset, limit: limit))
        let rules = rules
        request.permitsPeer = { rules.refusal(of: link, resolvedTo: [$0]) == nil }
        return request
    }

    private static func target(of response: HTTPResponse) -> String? {
        [301, 302, 303, 307, 308].contains(response.status) ? response.headers["location"] : nil
    }
}
