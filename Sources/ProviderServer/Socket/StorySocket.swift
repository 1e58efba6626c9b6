import FoundationEssentials
import Providers
import Serving

/// One client at the socket of one work.
struct StorySocket: Sendable {
    let conversation: Conversation
    let manner: SocketManner
    /// What is to be told now, after one more question; `nil` for a work nobody knows.
    let tell: @Sendable () -> WorkUpdate?

    /// A work as one frame tells it.
    struct WorkUpdate: Hashable, Sendable {
        /// Sent only when it differs from the last one.
        let text: String
        let isEnd: Bool
        /// Whether the server closes after it; some ends it does not see as one.
        let isSeen: Bool
    }

    func run() async {
        switch manner {
        case .silent, .wrongAccept: return await wait()
        case .overlong:
            _ = await conversation.send([0x81, 0x7f, 0, 0, 0, 1, 0, 0, 0, 0])
            return await wait()
        case .garbage:
            _ = await send("no JSON")
            return await wait()
        default: break
        }
        var last = ""
        var frames = 0
        while let telling = tell() {
            if telling.text != last {
                if manner == .cut(afterFrames: frames) { return }
                guard await send(telling) else { return }
                last = telling.text
                frames += 1
            } else {
                // Something else must happen first, such as the end of what blocks it.
                do { try await Task.sleep(for: .milliseconds(2)) } catch { return }
            }
            guard telling.isEnd else { continue }
            return await end(telling)
        }
        _ = await send(#"{"error":"task not found: sql: no rows in result set"}"#)
    }

    private func send(_ telling: WorkUpdate) async -> Bool {
        if manner == .torn {
            let bytes = WebSocketFrame(.text, Array(telling.text.utf8)).encoded(mask: nil)
            _ = await conversation.send(Array(bytes.prefix(bytes.count / 2)))
            return false
        }
        if manner == .pinging, await !isAlive() { return false }
        return await send(telling.text)
    }

    private func send(_ text: String) async -> Bool {
        await conversation.send(WebSocketFrame(.text, Array(text.utf8)).encoded(mask: nil))
    }

    private func end(_ telling: WorkUpdate) async {
        if manner == .twice { _ = await send(telling.text) }
        if manner == .goodbye { _ = await conversation.send(WebSocketFrame.close(1000).encoded(mask: nil)) }
        if !telling.isSeen { await wait() }
    }

    /// Whether a ping is answered by its pong.
    private func isAlive() async -> Bool {
        let ping = Array("ping".utf8)
        guard await conversation.send(WebSocketFrame(.ping, ping).encoded(mask: nil)) else { return false }
        var reader = WebSocketReader(expectsMasks: true)
        while let piece = await conversation.receive() {
            do {
                let events = try reader.feed(piece)
                if !events.isEmpty { return events == [.pong(ping)] }
            } catch {
                return false
            }
        }
        return false
    }

    /// Until the client ends it, or the server stops.
    private func wait() async {
        while await conversation.receive() != nil {}
    }
}
