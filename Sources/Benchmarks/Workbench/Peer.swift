/// A program that does the same work, for comparison.
enum Peer: String, CaseIterable, Sendable {
    case vipsthumbnail, ffmpegthumbnailer, curl, find

    /// The Debian package that holds it.
    var package: String {
        switch self {
        case .vipsthumbnail: "libvips-tools"
        case .ffmpegthumbnailer: "ffmpegthumbnailer"
        case .curl: "curl"
        case .find: "findutils"
        }
    }

    /// The text in a row if the peer is not installed.
    var absence: String { "\(rawValue) not installed: apt install \(package)" }
}

extension Measurement {
    /// Our number beside that of `peer`; `theirs` is `nil` if the peer is not installed.
    init(_ what: String, _ ours: Figure, beside peer: Peer, _ theirs: Figure?, goal: Goal) {
        if let theirs {
            self.init(what, ours, beside: Counterpart(name: peer.rawValue, reading: theirs), goal: goal)
        } else {
            self.init(what: what, outcome: .alone(ours: ours, missing: peer.absence))
        }
    }
}
