import FoundationEssentials
import Serving
import Testing

@testable import StorageServer

extension Site {
    /// Begins an upload; a `nil` length is deferred.
    func begin(
        _ bucket: String?, _ key: String, length: Int64?, _ headers: Headers = [:], _ body: String = "",
        as token: String? = Site.service, type: String? = nil, more: [(String, String)] = [], prefix: String = "",
        isSigned: Bool = false
    ) async throws -> Answer {
        let pairs = [("bucketName", bucket), ("objectName", key), ("contentType", type)] + more.map { ($0.0, $0.1) }
        let metadata = pairs.compactMap { name, value in
            value.map { "\(name) \(Data($0.utf8).base64EncodedString())" }
        }
        var all: Headers = ["Upload-Metadata": metadata.joined(separator: ",")]
        all[length == nil ? "Upload-Defer-Length" : "Upload-Length"] = length.map(String.init) ?? "1"
        for line in headers.lines { all[line.name] = line.value }
        return try await resumable(
            "POST", prefix + "/upload/resumable" + (isSigned ? "/sign" : ""), all, as: token, body: body)
    }

    /// The path of a new upload.
    func path(_ bucket: String, _ key: String, length: Int64?, _ headers: Headers = [:]) async throws -> String {
        let answer = try await begin(bucket, key, length: length, headers)
        let location = try #require(answer.headers["location"])
        return "/upload/resumable/" + location.split(separator: "/").suffix(1).joined()
    }

    func resumable(
        _ method: String, _ path: String, _ headers: Headers = [:], as token: String? = Site.service,
        body: String = ""
    ) async throws -> Answer {
        var headers = headers
        headers["Tus-Resumable"] = headers["Tus-Resumable"] ?? "1.0.0"
        return try await ask(method, path, as: token, headers, body: Array(body.utf8))
    }

    func patch(
        _ path: String, at offset: Int, _ body: String, _ headers: Headers = [:], as token: String? = Site.service
    ) async throws -> Answer {
        var headers = headers
        headers["Upload-Offset"] = String(offset)
        headers["Content-Type"] = ResumableHeaders.bodyType
        return try await resumable("PATCH", path, headers, as: token, body: body)
    }

    func patch(_ path: String, at offset: Int, _ body: RequestBody) async throws -> Answer {
        try await Answer(await depot.answer(patching(path, at: offset, body)))
    }

    func patching(_ path: String, at offset: Int, _ body: RequestBody) -> Request {
        Request(
            method: "PATCH", target: path,
            headers: [
                "Authorization": "Bearer \(Site.service)", "Tus-Resumable": "1.0.0", "Upload-Offset": String(offset),
                "Content-Type": ResumableHeaders.bodyType,
            ], body: body)
    }
}
