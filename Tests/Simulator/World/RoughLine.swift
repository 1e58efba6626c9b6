import Platform
import Serving
import Simulation
import Supabase
import Transfer

/// The network between one life of the agent and the storage or the providers.
struct RoughLine: Transport {
    let far: any FarSide
    /// The present probability of each fault.
    let probability: @Sendable (FaultKind) -> Double
    /// Whether the agent's process is dead, so that none of its requests leave any more.
    let isCut: Simulated<Bool>
    /// Called before a request leaves and before its answer arrives.
    let reach: @Sendable (Seam) -> Void
    /// Called for every request, with its body, before it leaves.
    let begins: @Sendable (HTTPRequest, [UInt8]) -> Void
    /// Called for every request that took effect, whatever happens to the answer; says whether it arrived late.
    let takes: @Sendable (HTTPRequest, [UInt8], Bool) -> Void
    /// Called for every request that was on its way to a server when that went down.
    var loses: @Sendable (HTTPRequest, [UInt8]) -> Void = { _, _ in }
    /// Called for every request that the server answered, with the body it had.
    let ends: @Sendable (HTTPRequest, [UInt8], HTTPResponse) -> Void
    /// The present or the last time without a network.
    var outage: @Sendable () -> Outage? = { nil }
    /// Called for every request whose answer is not true.
    var lies: @Sendable (HTTPRequest) -> Void = { _ in }

    /// The longest time in seconds that a request is on its way.
    static let longest = 200
    /// How long proxies ask clients to wait, in valid and in odd forms.
    private static let waits = [
        "0", "7", "120", "86400", "99999999999999", "-5", "soon", "Wed, 21 Oct 2099 07:28:00 GMT",
    ]
    /// The longest time in milliseconds that the answer to a listing takes, if nothing is wrong.
    private static let longestListing = 10_000

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let reply = Outcome<Result<HTTPResponse, TransferError>>()
        // The server works on with the bytes that have arrived, whatever the client does.
        Task {
            do throws(TransferError) {
                reply.give(.success(try await travel(request)))
            } catch {
                reply.give(.failure(error))
            }
        }
        if let idle = request.timeouts.idle {
            Task {
                try? await Task.sleep(for: idle)
                reply.give(.failure(TransferError(.timedOut, "no answer in time", mayHaveArrived: true)))
            }
        }
        let result = await withTaskCancellationHandler {
            await reply.get()
        } onCancel: {
            reply.give(.failure(TransferError(.cancelled, "cancelled", mayHaveArrived: true)))
        }
        return try result.get()
    }

    private func travel(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        guard let simulation = Simulation.current else { throw TransferError(.cancelled, "", mayHaveArrived: false) }
        let name = "\(request.method.rawValue) \(Crossing(request).target.prefix(70))"
        let crossing = Crossing(request)
        let body = try crossing.body()
        reach(.request)
        if !isCut.value { begins(request, body) }
        await pass(1...400)
        var isDelayed = try await cross(request, isAnswer: false)
        let fault = FaultKind.allCases.first {
            simulation.random.happens(probability($0)) && $0.befalls(request, to: far)
        }
        guard !isCut.value, far.isUp, fault != .unreachable else {
            throw TransferError(.unreachable, "no connection", mayHaveArrived: false)
        }
        simulation.note("\(name) \(body.count) \(fault?.rawValue ?? "")")
        if let refusal = refusal(fault, of: request, body) { return try crossing.kept(refusal) }
        switch fault {
        case .lostRequest:
            let count = Int.random(in: 0...body.count, using: &simulation.random)
            _ = await far.answer(crossing.request(body, arriving: count == body.count ? nil : count))
            throw crossing.lost
        case .doubled: _ = await far.answer(crossing.request(body))
        case .slow: await pass(5_000...Self.longest * 1_000)
        case .late:
            reach(.underWay)
            // Later than the agent waits: usually soon after it has asked again, sometimes after much more.
            await pass(61_000...(simulation.random.happens(0.5) ? 90 : Self.longest) * 1_000)
        default: break
        }
        let forgetful = fault == .forgetting ? far as? StorageModel : nil
        let before = try? await forgetful?.objects()
        let arriving = fault == .damagedRequest ? body.dropLast() + [body.last.map { ~$0 } ?? 0] : body
        guard let response = await far.answer(crossing.request(arriving)) else {
            loses(request, body)
            throw crossing.lost
        }
        isDelayed = isDelayed || fault == .late || fault == .slow
        if 200..<300 ~= response.status { takes(request, body, isDelayed) }
        if let forgetful, 200..<300 ~= response.status, !isCut.value {
            // Of an upload in pieces, only the last one stores anything.
            let key = World.storedKey(request) ?? World.continuedKey(request)
            let after = try? await forgetful.objects()
            if let key, after?[key] != before?[key] { await forgetful.forget(key) }
        }
        // A listing may be old when it arrives, and lack objects that were stored and proven meanwhile.
        let isListing = request.url.contains("/object/list") && simulation.random.happens(0.3)
        await pass(1...(isListing ? Self.longestListing : 300))
        reach(.answer)
        _ = try await cross(request, isAnswer: true)
        if fault == .lostAnswer { throw crossing.lost }
        if fault == .gaveUp {
            let status = simulation.random.happens(0.5) ? 502 : 504
            return try crossing.kept(HTTPResponse(status: status, body: Array("<html>Bad gateway</html>".utf8)))
        }
        var answer = try await crossing.response(response, cutting: fault == .damagedAnswer)
        if fault == .lyingSize || fault == .circling, let lie = answer.lying(fault, to: request) {
            lies(request)
            answer = lie
        }
        guard !isCut.value else { throw crossing.lost }
        simulation.note("\(name) -> \(answer.status)")
        ends(request, body, answer)
        return answer
    }

    /// The answer that a proxy gives itself; `nil` if the request goes on to the storage.
    private func refusal(_ fault: FaultKind?, of request: HTTPRequest, _ body: [UInt8]) -> HTTPResponse? {
        guard let simulation = Simulation.current else { return nil }
        func answer(_ status: Int, _ text: String) -> HTTPResponse {
            HTTPResponse(status: status, body: Array(text.utf8))
        }
        switch fault {
        case .refused:
            let status = [429, 500, 502, 503, 504, 520, 544].randomElement(using: &simulation.random) ?? 503
            let wait = simulation.random.happens(0.3) ? Self.waits.randomElement(using: &simulation.random) : nil
            return HTTPResponse(
                status: status, headers: wait.map { ["retry-after": $0] } ?? HTTPHeaders(), body: Array("busy".utf8))
        case .tooLarge where !body.isEmpty && [.post, .put, .patch].contains(request.method):
            return answer(413, "<html>413 Request Entity Too Large</html>")
        case .expired:
            let words = #""error":"Unauthorized","message":"\"exp\" claim timestamp check failed""#
            return answer(400, #"{"statusCode":"403",\#(words)}"#)
        case .damagedAnswer where simulation.random.happens(0.3):
            return answer(200, "<html>Welcome to the hotel</html>")
        default: return nil
        }
    }

    private func pass(_ milliseconds: ClosedRange<Int>) async {
        guard let simulation = Simulation.current else { return }
        try? await Task.sleep(for: .milliseconds(Int.random(in: milliseconds, using: &simulation.random)))
    }
}

extension FaultKind {
    /// Whether it can happen to that request: some faults are a storage's, and lines never repeat a request sent once.
    fileprivate func befalls(_ request: HTTPRequest, to far: any FarSide) -> Bool {
        switch self {
        case .doubled: !request.isOnce
        case .lostEvents: false
        // A request that changes nothing might as well be slow.
        case .late: ![.get, .head].contains(request.method) && !request.url.contains("/object/list")
        // For an upload in pieces it cannot be known.
        case .damagedRequest: far is StorageModel && World.storedKey(request) != nil
        case .tooLarge, .lyingSize, .forgetting, .expired, .circling: far is StorageModel
        default: true
        }
    }
}

extension HTTPResponse {
    /// The answer of a server that is wrong about its own objects; `nil` if the request asks for none.
    fileprivate func lying(_ fault: FaultKind?, to request: HTTPRequest) -> HTTPResponse? {
        guard isSuccess, !request.url.contains("/upload/"), request.method != .get || request.url.contains("/info/")
        else { return nil }
        let text = String(decoding: body, as: UTF8.self)
        let lie: String
        if fault == .lyingSize {
            // One digit more is a size that no object has.
            lie = text.split(separator: "\"size\":", omittingEmptySubsequences: false).joined(separator: "\"size\":1")
        } else {
            lie = text.split(separator: "\"hasNext\":false", omittingEmptySubsequences: false)
                .joined(separator: "\"hasNext\":true,\"nextCursor\":\"\(Self.circle)\"")
        }
        guard lie != text else { return nil }
        Simulation.current?.note("lies: \(fault?.rawValue ?? "")")
        var headers = headers
        headers["content-length"] = "\(lie.utf8.count)"
        return HTTPResponse(status: status, headers: headers, body: Array(lie.utf8))
    }

    /// A cursor that lists from the beginning.
    private static let circle = ""
}
