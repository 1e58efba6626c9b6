/// How StoryToVideo's socket behaves once it is open; a refusal is a `Trouble` instead.
package enum SocketManner: Hashable, Sendable {
    /// A frame at once, at each change and at the end; then the connection ends without a close frame.
    case usual
    /// The socket opens, and no frame follows.
    case silent
    /// The connection ends after this many frames.
    case cut(afterFrames: Int)
    /// The connection ends in the middle of a frame.
    case torn
    /// The last frame is sent twice.
    case twice
    /// The last frame is followed by a close frame.
    case goodbye
    /// A ping comes before each frame, and the client must answer it.
    case pinging
    /// The handshake is answered with the hash of another key.
    case wrongAccept
    /// A frame announces more bytes than any client accepts.
    case overlong
    /// A frame whose text is not JSON.
    case garbage
}
