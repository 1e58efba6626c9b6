import Platform

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

    /// The text in a row when it is not installed.
    var absence: String { "\(rawValue) not installed: apt install \(package)" }

    /// The program's path, or `nil` when it is not installed.
    var path: FilePath? { Self.find(rawValue) }

    /// The first program of that name on the search path.
    static func find(_ name: String) -> FilePath? {
        let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { FilePath(String($0)) }
        return folders.map { $0.appending(name) }.first { path in
            guard let facts = try? FileFacts.existing(path) else { return false }
            return facts.kind == .file && facts.mode & 0o111 != 0
        }
    }
}

extension Measurement {
    /// Our number beside that of `peer`; `theirs` is `nil` when it is not installed.
    init(_ what: String, _ ours: Figure, beside peer: Peer, _ theirs: Figure?, goal: Goal) {
        if let theirs {
            self.init(what, ours, beside: Counterpart(name: peer.rawValue, reading: theirs), goal: goal)
        } else {
            self.init(what: what, outcome: .alone(ours: ours, missing: peer.absence))
        }
    }
}
