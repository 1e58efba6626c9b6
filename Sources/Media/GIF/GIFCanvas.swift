/// The canvas of a GIF, which its decoder makes in full whatever the file holds.
struct GIFCanvas {
    let width: Int
    let height: Int

    /// Pixels up to which FFmpeg composes it, so that the best of several pictures is shown: 128 MB.
    static let mostComposed = 1 << 25
    /// Pixels that are made without a question: 64 MB.
    private static let harmless = 1 << 24
    /// The most pixels of a byte: a code of 12 bits stands for 4,096 of them at most (GIF89a, appendix F).
    private static let pixelsPerByte = 2731

    var pixels: Int { width * height }

    /// Whether `count` bytes could fill it: only damage makes one that they cannot, and half a gigabyte would be blank.
    func canBeFilled(by count: Int) -> Bool { pixels <= max(Self.harmless, count * Self.pixelsPerByte) }
}

extension GIFCanvas {
    /// What a file with this start states; `nil` where it is too short for that.
    init?(_ start: [UInt8]) {
        guard start.count >= 10 else { return nil }
        self.init(width: Int(start[6]) | Int(start[7]) << 8, height: Int(start[8]) | Int(start[9]) << 8)
    }
}
