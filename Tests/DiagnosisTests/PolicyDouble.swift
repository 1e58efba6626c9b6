import Foundation
import Supabase
import Synchronization
import Testing
import Transfer

/// A project's storage that grants users these rights only, with its real answers (contract 6.6).
final class PolicyDouble: Transport {
    let rights: Set<BucketRight>
    private let held = Mutex<Set<String>>([])
    private let asked = Mutex<[String]>([])

    init(_ rights: Set<BucketRight>) {
        self.rights = rights
    }

    /// Keys that are stored now.
    var objects: Set<String> { held.withLock { $0 } }
    var requests: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let path = String(request.url.split(separator: "/storage/v1/", maxSplits: 1).last ?? "")
        asked.withLock { $0.append("\(request.method.rawValue) \(path)") }
        switch (request.method, path) {
        case (.get, "status"): return HTTPResponse(status: 200)
        case (.get, "bucket/media"): return Self.missing("Bucket not found", "NoSuchBucket")
        case (.post, "upload/resumable"):
            return rights.contains(.insert)
                ? HTTPResponse(status: 201, headers: ["location": "http://elsewhere/x/id1"])
                : HTTPResponse(status: 403, body: Array("new row violates row-level security policy".utf8))
        case (.delete, "upload/resumable/id1"): return HTTPResponse(status: 204)
        case (.post, _): return upload(path, replacing: request.headers["x-upsert"] == "true")
        case (.get, _): return info(path)
        case (.delete, "object/media"): return try delete(request)
        default: throw TransferError(.lost, "unexpected \(request.method.rawValue) \(path)", mayHaveArrived: false)
        }
    }

    private func upload(_ path: String, replacing: Bool) -> HTTPResponse {
        let needed: Set<BucketRight> = replacing ? [.insert, .select, .update] : [.insert]
        guard needed.isSubset(of: rights) else {
            return Self.json(
                #"{"statusCode":"403","error":"Unauthorized","code":"AccessDenied","#
                    + #""message":"new row violates row-level security policy"}"#, status: 400)
        }
        let key = path.replacing("object/media/", with: "")
        held.withLock { _ = $0.insert(key) }
        return Self.json(#"{"Id":"i","Key":"media/\#(key)"}"#)
    }

    private func info(_ path: String) -> HTTPResponse {
        let key = path.replacing("object/info/authenticated/media/", with: "")
        guard rights.contains(.select), objects.contains(key) else {
            return Self.missing("Object not found", "NoSuchKey")
        }
        return Self.json(#"{"id":"i","name":"\#(key)","bucket_id":"media"}"#)
    }

    private func delete(_ request: HTTPRequest) throws(TransferError) -> HTTPResponse {
        guard case .bytes(let body) = request.body,
            let keys = try? JSONDecoder().decode([String: [String]].self, from: Data(body))["prefixes"]
        else { throw TransferError(.lost, "no list of keys", mayHaveArrived: false) }
        guard rights.isSuperset(of: [.select, .delete]) else { return Self.json("[]") }
        let gone = held.withLock { held in keys.filter { held.remove($0) != nil } }
        return Self.json("[" + gone.map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]")
    }

    private static func missing(_ message: String, _ code: String) -> HTTPResponse {
        json(
            #"{"statusCode":"404","error":"not_found","message":"\#(message)","code":"\#(code)"}"#, status: 400)
    }

    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(text.utf8))
    }
}
