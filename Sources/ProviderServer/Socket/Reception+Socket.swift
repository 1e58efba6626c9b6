import FoundationEssentials
import Providers
import Serving
import Supabase
import Synchronization

extension Reception {
    /// The work whose socket a request opens; `nil` for every other request.
    static func work(of request: Request) -> String? {
        let parts = PathPattern("/storytovideo/tasks/:/wss").match(request.path)
        guard request.method == "GET", request.headers["upgrade"]?.lowercased() == "websocket" else { return nil }
        return parts.map { String($0[0]) }
    }

    /// The answer that opens the socket of `work`.
    func socket(of work: String, for request: Request, manner: SocketManner) -> Response {
        guard let key = request.headers["sec-websocket-key"], request.headers["sec-websocket-version"] == "13" else {
            return Response(status: 426, headers: ["Sec-WebSocket-Version": "13"])
        }
        let known = manner == .wrongAccept ? "another key" : key
        var response = Response(
            status: 101,
            headers: ["Upgrade": "websocket", "Sec-WebSocket-Accept": WebSocketHandshake.accept(known)])
        response.conversation = { conversation in
            let socket = StorySocket(conversation: conversation, manner: manner) { self.tell(of: work, request) }
            await socket.run()
        }
        return response
    }

    private func tell(of work: String, _ request: Request) -> StorySocket.WorkUpdate? {
        let call = SiteRequest(request, body: [], now: now, prefix: "/storytovideo")
        return state.withLock { state in
            guard let job = state.providers.ask("tasks/\(work)", at: .storyToVideo, now: call.now) else { return nil }
            let isSeen = job.end != .cancelled && !state.providers.plan.saysSuccess
            return StorySocket.WorkUpdate(
                text: state.providers.storyWork(job, call).compact, isEnd: job.stage == .ended, isSeen: isSeen)
        }
    }
}
