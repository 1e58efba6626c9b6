/// How StoryToVideo's socket behaves once it is open; what refuses it is a `Trouble`.
package enum SocketManner: Hashable, Sendable {
    /// A frame at once and at each change, the last one at the end, then the connection ends without a goodbye.
    case usual
    /// Open, and nothing more.
    case silent
    /// The connection ends after so many frames.
    case cut(afterFrames: Int)
    /// The connection ends in the middle of a frame.
    case torn
    /// The last frame comes twice.
    case twice
    /// The last frame is followed by a goodbye.
    case goodbye
    /// A ping before each frame, which must be answered.
    case pinging
    /// The handshake's answer is another key's.
    case wrongAccept
    /// A frame announces more than anybody takes.
    case overlong
    /// Text that is no JSON.
    case garbage
}
