import FoundationEssentials
import MediaModel
import Platform

/// Runs the programs that make thumbnails, each with one thumbnail for every file.
struct PictureMakers: Sendable {
    let bench: Workbench
    let media: MediaFiles
    /// The number of a video's frames that we compare for its poster.
    var candidates = 5

    private static let longSide = "512"

    /// The seconds that each side takes for all files, with one process per core.
    func compare(with peer: Peer) async throws -> (ours: Double, theirs: Double?) {
        try await Rounds(count: bench.scale.rounds).medians(
            ours: { try await time { try ours($0) } },
            theirs: peer.path.map { program in { try await time { try theirs(peer, program, into: $0) } } })
    }

    /// The seconds of one run that makes a thumbnail of every file.
    private func time(_ execution: (FilePath) throws -> Execution) async throws -> Double {
        let pictures = try await bench.fresh(.pictures)
        let seconds = try await execution(pictures).time()
        let made = try Directory(pictures).names().count
        guard made == media.paths.count else { throw PicturesMissing(made: made, wanted: media.paths.count) }
        return seconds
    }

    /// The mean number of frames that we decode to choose a video's poster.
    func framesDecoded() async throws -> Double {
        struct Line: Decodable {
            let facts: MediaFacts
        }
        let report = bench.folder.appending("thumbnails.jsonl")
        try await bench.remove(report)
        let run = try ours(try await bench.fresh(.pictures), "--json")
        _ = try await run.start(output: try OpenFile(creating: report)).exit
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let lines = try OpenFile(reading: report).readAll().split(separator: UInt8(ascii: "\n"))
        let counts = try lines.map { try decoder.decode(Line.self, from: Data($0)).facts.posterFrames ?? 0 }
        return Double(counts.reduce(0, +)) / Double(max(1, counts.count))
    }

    private func ours(_ pictures: FilePath, _ option: String = "--quiet") throws -> Execution {
        Execution(
            try bench.agent(),
            [
                "thumbnail", option, "--state-dir", bench.folder.appending("state").display, "-o", pictures.display,
                "--size", Self.longSide, "--set", "thumbnails.workers=\(Host.cores)",
                "--set", "thumbnails.candidates=\(candidates)",
            ] + media.paths.map(\.display))
    }

    /// The peer run by `xargs`, which keeps one process per core busy.
    private func theirs(_ peer: Peer, _ program: FilePath, into pictures: FilePath) throws -> Execution {
        var words: [String] = ["-0", "-P", "\(Host.cores)", "-n"]
        var list: [String] = []
        switch peer {
        case .vipsthumbnail:
            words += ["\((media.paths.count + Host.cores - 1) / Host.cores)", program.display]
            words += ["--size", Self.longSide, "-o", "\(pictures)/%s.jpg"]
            list = media.paths.map(\.display)
        default:
            words += ["4", program.display, "-s", Self.longSide]
            for path in media.paths {
                list += ["-i", path.display, "-o", pictures.appending(path.name).display + ".jpg"]
            }
        }
        let names = bench.folder.appending("pictures.list")
        try OpenFile(creating: names).append(Array(list.map { $0 + "\0" }.joined().utf8))
        return Execution(try Workbench.tool("xargs"), words, input: names, isSilent: true)
    }
}

/// A run made fewer pictures than there are files.
struct PicturesMissing: Error, CustomStringConvertible {
    let made: Int
    let wanted: Int

    var description: String { "made \(made) pictures of \(wanted) files" }
}
