import Foundation
import ProviderServer
import Providers
import Transfer

extension HTTPClient {
    /// The response to a GET of `link`.
    func get(_ link: String, _ headers: HTTPHeaders = HTTPHeaders()) async throws(TransferError) -> HTTPResponse {
        try await send(HTTPRequest(.get, link, headers: headers))
    }

    /// Fetches a provider's file with the headers of its account.
    func fetch(_ file: RemoteMedia, as account: ProviderAccount) async throws(TransferError) -> HTTPResponse {
        try await get(file.url, file.needsAccount ? account.headers(for: file.url) : HTTPHeaders())
    }
}

extension ProviderServer {
    /// The bytes of a provider's file, be it behind a link or in the answer itself.
    func bytes(
        of file: RemoteMedia, _ job: JobReference, at provider: any Provider, with client: HTTPClient
    ) async throws -> [UInt8] {
        guard let number = RemoteMedia.inlineNumber(file.url) else {
            return try await client.fetch(file, as: provider.account).body
        }
        return try await provider.inlined(number, of: job)
    }

    /// Submits a job as another program would.
    func submitElsewhere(_ site: ProviderName, with client: HTTPClient) async throws -> String {
        let paths: [ProviderName: String] = [
            .gemini: "/models/veo-3.1:predictLongRunning", .openAI: "/videos", .runway: "/v1/text_to_video",
            .luma: "/generations/video", .replicate: "/predictions", .fal: "/fal-ai/veo3.1/fast",
            .rendio: "/functions/v1/generate-video", .vertex: "/projects/p/models/veo:predictLongRunning",
        ]
        let token = site == .kling ? SigningKey(self.key(of: site))?.token(at: Date()) ?? "" : key
        let headers: HTTPHeaders = [
            "authorization": (site == .fal ? "Key " : site == .vidu ? "Token " : "Bearer ") + token,
            "x-goog-api-key": key, "apikey": key,
            "x-runway-version": "2024-11-06", "idempotency-key": "k-1",
        ]
        let request = HTTPRequest(
            .post, base(of: site) + (paths[site] ?? site.api?.order?.path.text ?? ""), headers: headers,
            body: .bytes(Array("{}".utf8)))
        return String(decoding: try await client.send(request).body, as: UTF8.self)
    }
}
