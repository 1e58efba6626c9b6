package import MediaModel

/// How the examination of one file by a media worker ended.
package enum MediaOutcome: Hashable, Sendable {
    /// Pictures may be missing; then a note in the facts says why.
    case examined(MediaFacts, [Thumbnail])
    /// Nothing could be learnt, in the decoder's words.
    case failed(String)
    /// There is no worker to ask, for this reason; it says nothing about the file.
    case unavailable(String)
    /// The worker was killed by another program, as the kernel does where memory is short.
    ///
    /// This mostly says nothing about the file, unless the file itself makes memory short.
    case killed
    /// The worker was ended by this signal, other than in the case of `killed`.
    case crashed(signal: Int32)
    /// The file took longer than one file may.
    case timedOut
    /// The file wanted more memory than one file may.
    case outOfMemory
}

extension MediaOutcome {
    /// Why there is no picture, for the user; empty where the file was examined.
    package var reason: String {
        switch self {
        case .examined: ""
        case .failed(let words), .unavailable(let words): words
        case .killed: "the media worker was killed, as it happens where memory is short"
        case .crashed(let signal): "the decoder crashed (signal \(signal))"
        case .timedOut: "decoding took too long"
        case .outOfMemory: "decoding took too much memory"
        }
    }
}
