import FoundationEssentials
import MediaModel
import Platform

/// Runs the programs that make thumbnails; each makes one for every file.
struct PictureMakers: Sendable {
    let bench: Workbench
    let files: [FilePath]
    /// The number of frames that we compare to choose a video's poster.
    var candidates = 5

    private static let longSide = "512"

    /// The seconds that each side takes for all files, with one process per core.
    func compare(with peer: Peer) async throws -> (ours: Double, theirs: Double?) {
        try await Rounds(count: bench.scale.rounds).medians(
            ours: { try await time { try ours($0) } },
            theirs: bench.programs.path(of: peer).map { program in
                { try await time { try theirs(peer, program, into: $0) } }
            })
    }

    /// Compares as `compare` does, and watches memory: the medians of the times, the highest peaks.
    func compareWatched(with peer: Peer) async throws -> (ours: MemoryWatch.Watched, theirs: MemoryWatch.Watched?) {
        var (mine, others) = ([MemoryWatch.Watched](), [MemoryWatch.Watched]())
        let taken = try await Rounds(count: bench.scale.rounds).medians(
            ours: {
                mine.append(try await made { try await MemoryWatch.run(try ours($0), leavesWorkers: true) })
                return mine[mine.count - 1].seconds
            },
            theirs: bench.programs.path(of: peer).map { program in
                {
                    // A peer may fail, because it reports a damaged file even if it made a picture of it.
                    others.append(
                        try await made {
                            try await MemoryWatch.run(try theirs(peer, program, into: $0), mayFail: true)
                        })
                    return others[others.count - 1].seconds
                }
            })
        return (Self.sum(of: mine, seconds: taken.ours), taken.theirs.map { Self.sum(of: others, seconds: $0) })
    }

    private static func sum(of rounds: [MemoryWatch.Watched], seconds: Double) -> MemoryWatch.Watched {
        MemoryWatch.Watched(
            seconds: seconds, processorSeconds: Rounds.median(rounds.map(\.processorSeconds)),
            peakBytes: rounds.map(\.peakBytes).max() ?? 0)
    }

    /// The files that each side makes a thumbnail of; `nil` for a peer that is not installed.
    func opened(_ peer: Peer) async throws -> (ours: Set<FilePath>, theirs: Set<FilePath>?) {
        let mine = try await filesPictured { try ours($0) }
        guard let program = bench.programs.path(of: peer) else { return (mine, nil) }
        return (mine, try await filesPictured { try theirs(peer, program, into: $0, oneByOne: true) })
    }

    private func filesPictured(by execution: (FilePath) throws -> Execution) async throws -> Set<FilePath> {
        let pictures = try await bench.fresh(.pictures)
        _ = try await MemoryWatch.run(try execution(pictures), mayFail: true)
        // A peer that fails may leave an empty picture.
        let made = try Directory(pictures).names().filter { try FileFacts(of: pictures.appending($0)).size > 0 }
        // Compared up to the first dot, because some peers keep the file's extension before their own.
        let stems = Set(made.map { $0.name.prefix { $0 != UInt8(ascii: ".") } })
        return Set(files.filter { stems.contains($0.name.prefix { $0 != UInt8(ascii: ".") }) })
    }

    /// The seconds of one run that makes a thumbnail of every file.
    private func time(_ execution: (FilePath) throws -> Execution) async throws -> Double {
        try await made { try await execution($0).time() }
    }

    /// Returns the value of `run`, which must have made a thumbnail of every file.
    private func made<Value>(_ run: (FilePath) async throws -> Value) async throws -> Value {
        let pictures = try await bench.fresh(.pictures)
        let value = try await run(pictures)
        let made = try Directory(pictures).names().count
        guard made == files.count else { throw PicturesMissing(made: made, wanted: files.count) }
        return value
    }

    /// The mean number of frames that we decode to choose a video's poster.
    func framesDecoded() async throws -> Double {
        struct Line: Decodable {
            let facts: MediaFacts
        }
        let report = bench.folder.appending("thumbnails.jsonl")
        try await bench.remove(report)
        let run = try ours(try await bench.fresh(.pictures), "--json")
        try await run.succeed(output: try OpenFile(creating: report))
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
            ] + files.map(\.display), isSilent: true)
    }

    /// The execution of a peer by `xargs`, which keeps one process per core busy.
    ///
    /// - Parameter oneByOne: Whether every file has a process of its own.
    private func theirs(
        _ peer: Peer, _ program: FilePath, into pictures: FilePath, oneByOne: Bool = false
    ) throws -> Execution {
        // Every failure becomes 1, because exit code 255, as for a damaged file, would end xargs early.
        let start = ["/bin/sh", "-c", "timeout 600 \"$@\" || exit 1", "sh"]
        var words: [String] = ["-0", "-P", "\(Host.cores)", "-n"]
        var list: [String] = []
        switch peer {
        case .vipsthumbnail:
            words += [oneByOne ? "1" : "\((files.count + Host.cores - 1) / Host.cores)"] + start + [program.display]
            words += ["--size", Self.longSide, "-o", "\(pictures)/%s.jpg"]
            list = files.map(\.display)
        default:
            words += ["4"] + start + [program.display, "-s", Self.longSide]
            for path in files {
                list += ["-i", path.display, "-o", pictures.appending(path.name).display + ".jpg"]
            }
        }
        let names = bench.folder.appending("pictures.list")
        try OpenFile(creating: names).append(Array(list.map { $0 + "\0" }.joined().utf8))
        return Execution(try bench.programs.tool("xargs"), words, input: names, isSilent: true)
    }
}

/// A run made fewer pictures than there are files.
struct PicturesMissing: Error, CustomStringConvertible {
    let made: Int
    let wanted: Int

    var description: String { "made \(made) pictures of \(wanted) files" }
}
