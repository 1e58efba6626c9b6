import FoundationEssentials
import Providers
import Serving

/// One client that listens at the socket of a work.
struct StorySocket: Sendable {
    let conversation: Conversation
    let manner: SocketManner
    /// What to send now, after one more question; `nil` for an unknown work.
    let tell: @Sendable () -> WorkUpdate?

    /// The state of a work as one frame describes it.
    struct WorkUpdate: Hashable, Sendable {
        /// The frame's text, sent only when it differs from the last one.
        let text: String
        let isEnd: Bool
        /// Whether the server closes the connection after this update; it does not notice every end.
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
                // Another job must end first, such as the one that blocks this work.
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

    /// Whether the client answers a ping with its pong.
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

    /// Waits until the client ends the connection, or the server stops.
    private func wait() async {
        while await conversation.receive() != nil {}
    }
}
