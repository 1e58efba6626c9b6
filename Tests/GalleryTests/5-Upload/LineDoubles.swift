import Foundation
import Platform
import Supabase
import TestSupport
import Transfer

/// A connection to `server` that flips a bit of every large body.
struct CorruptingLine: Transport {
    let server: any Transport
    /// The smallest body that is corrupted, in bytes.
    var from: Int64 = 1 << 20
    /// How many more bodies are corrupted.
    let left: Shared<Int>

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard case .file(let file, let offset, let length, _) = request.body, length >= from,
            left.change({ left in
                left -= 1
                return left >= 0
            })
        else { return try await server.send(request) }
        var spoilt = request
        do {
            var bytes = try file.read(at: offset, upTo: Int(length))
            bytes[bytes.count / 2] ^= 0x10
            spoilt.body = .bytes(bytes)
        } catch {
            throw TransferError(.local(error), "\(error)", mayHaveArrived: false)
        }
        return try await server.send(spoilt)
    }
}

/// A connection to `server` that returns eTags like storage over S3: by the object's MD5, or none.
struct RetaggingLine: Transport {
    let server: any Transport
    /// The eTag for an object with this one; `nil` for none at all.
    let tag: @Sendable (String) -> String?

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let response = try await server.send(request)
        guard request.url.contains("/object/info/") || request.url.contains("/object/list-v2/"),
            let json = try? JSONSerialization.jsonObject(with: Data(response.body)),
            let body = try? JSONSerialization.data(withJSONObject: retagged(json))
        else { return response }
        return HTTPResponse(status: response.status, headers: response.headers, body: [UInt8](body))
    }

    private func retagged(_ json: Any) -> Any {
        if let list = json as? [Any] { return list.map(retagged) }
        guard var object = json as? [String: Any] else { return json }
        for (key, value) in object {
            if ["etag", "eTag"].contains(key), let old = value as? String {
                object[key] = tag(old.filter { $0 != "\"" }).map { "\"\($0)\"" }
            } else {
                object[key] = retagged(value)
            }
        }
        return object
    }
}
