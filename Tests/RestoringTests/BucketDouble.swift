import Fixtures
import Foundation
import Platform
import Supabase
import Synchronization
import Testing
import Transfer

/// A bucket in memory that answers list-v2, info and download, with injected faults.
final class BucketDouble: Transport {
    /// A fault of one request instead of its answer.
    enum Fault: Sendable {
        case answer(HTTPResponse)
        /// The connection breaks after this many bytes of the body.
        case cut(after: Int)
        case fails(TransferError.Kind)
    }

    /// One request as tests compare it, such as `info Pictures/a.jpg` or `get Pictures/a.jpg bytes=2-`.
    struct Call: Hashable, Sendable {
        enum Verb: String { case list, info, get, bucket }
        let verb: Verb
        let key: String
        var range: String?
        var ifRange: String?
    }

    private struct State {
        var objects: [String: StoredThing]
        var calls: [Call] = []
    }

    private let state: Mutex<State>
    private let pageSize: Int
    private let fault: @Sendable (Int, Call) -> Fault?
    private let ignoresRanges: Bool

    /// - Parameter fault: Decides by the request's number, from 0, and its content.
    init(
        _ objects: [StoredThing], pageSize: Int = 1_000, ignoresRanges: Bool = false,
        fault: @escaping @Sendable (Int, Call) -> Fault? = { _, _ in nil }
    ) {
        state = Mutex(State(objects: Dictionary(objects.map { ($0.key, $0) }) { _, last in last }))
        self.pageSize = pageSize
        self.ignoresRanges = ignoresRanges
        self.fault = fault
    }

    var calls: [Call] { state.withLock { $0.calls } }

    func calls(_ verb: Call.Verb) -> [Call] { calls.filter { $0.verb == verb } }

    func put(_ object: StoredThing) { state.withLock { $0.objects[object.key] = object } }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard let call = Call(request) else {
            Issue.record("not understood: \(request.method.rawValue) \(request.url)")
            throw TransferError(.unsendable, "not understood", mayHaveArrived: false)
        }
        let number = state.withLock { state in
            state.calls.append(call)
            return state.calls.count - 1
        }
        var cut: Int?
        switch fault(number, call) {
        case .answer(let response): return response
        case .fails(let kind): throw TransferError(kind, "made to fail", mayHaveArrived: true)
        case .cut(let count): cut = count
        case nil: break
        }
        let objects = state.withLock { $0.objects }
        if call.verb == .list { return list(objects, request) }
        if call.verb == .bucket { return Self.json(200, #"{"id":"media","name":"media","public":false}"#) }
        guard let object = objects[call.key] else { return Self.missing }
        return call.verb == .info ? object.info : try deliver(object, call, request, cut: cut)
    }

    static let missing = json(
        400, #"{"statusCode":"404","error":"not_found","message":"Object not found","code":"NoSuchKey"}"#)

    static func json(_ status: Int, _ text: String, headers: HTTPHeaders = HTTPHeaders()) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}

extension BucketDouble {
    private struct Listing: Codable {
        var prefix = ""
        var cursor: String?
    }

    private func list(_ objects: [String: StoredThing], _ request: HTTPRequest) -> HTTPResponse {
        var query = Listing()
        if case .bytes(let bytes) = request.body,
            let asked = try? JSONDecoder().decode(Listing.self, from: Data(bytes))
        {
            query = asked
        }
        let keys = objects.keys.filter { $0.hasPrefix(query.prefix) && $0.utf8.lexicographicallyFollows(query.cursor) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let page = keys.prefix(pageSize)
        let rows = page.compactMap { objects[$0]?.row }.joined(separator: ",")
        let next = page.count < keys.count ? #","nextCursor":"\#(page.last ?? "")""# : ""
        return Self.json(200, #"{"hasNext":\#(!next.isEmpty),"folders":[],"objects":[\#(rows)]\#(next)}"#)
    }

    private func deliver(
        _ object: StoredThing, _ call: Call, _ request: HTTPRequest, cut: Int?
    ) throws(TransferError) -> HTTPResponse {
        guard case .file(let file, let at, let limit) = request.answer else {
            return Self.json(500, "the sink is no file")
        }
        var start = 0
        if let range = call.range, !ignoresRanges, call.ifRange == nil || call.ifRange == object.eTag {
            start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            guard start < object.bytes.count else {
                return Self.json(
                    416,
                    #"{"statusCode":"416","error":"invalid_range","message":"invalid range provided","code":"InvalidRange"}"#
                )
            }
        }
        let body = Array(object.bytes[start...])
        if Int64(body.count) > limit - (start > 0 ? at : 0) {
            throw TransferError(.tooLarge, "The answer is larger than its limit.", mayHaveArrived: true)
        }
        do throws(SystemError) {
            try file.write(Array(body.prefix(cut ?? body.count)), at: start > 0 ? at : 0)
        } catch {
            throw TransferError(.local(error), "\(error)", mayHaveArrived: true)
        }
        request.progress?(TransferProgress(sent: 0, received: Int64(min(cut ?? body.count, body.count))))
        if cut != nil { throw TransferError(.lost, "The connection broke.", mayHaveArrived: true) }
        var headers: HTTPHeaders = ["content-length": String(body.count), "etag": object.eTag ?? ""]
        if start > 0 { headers["content-range"] = "bytes \(start)-\(object.bytes.count - 1)/\(object.bytes.count)" }
        return HTTPResponse(status: start > 0 ? 206 : 200, headers: headers, received: Int64(body.count))
    }
}

extension BucketDouble.Call {
    init?(_ request: HTTPRequest) {
        let path = request.url.dropFirst("http://storage".count)
        let routes: [(String, Verb)] = [
            ("/object/list-v2/media", .list), ("/object/info/authenticated/media/", .info),
            ("/object/authenticated/media/", .get), ("/bucket/media", .bucket),
        ]
        guard let (route, verb) = routes.first(where: { path.hasPrefix($0.0) }) else { return nil }
        self.verb = verb
        key = String(path.dropFirst(route.count)).removingPercentEncoding ?? ""
        range = request.headers["range"]
        ifRange = request.headers["if-range"]
    }
}

extension BucketDouble.Call: CustomStringConvertible {
    var description: String { [verb.rawValue, key, range].compactMap { $0 }.joined(separator: " ") }
}

extension String.UTF8View {
    /// Whether these bytes come after those of `other`, if there is one.
    fileprivate func lexicographicallyFollows(_ other: String?) -> Bool {
        other.map { $0.utf8.lexicographicallyPrecedes(self) } ?? true
    }
}
