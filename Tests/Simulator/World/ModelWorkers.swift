import FoundationEssentials
import MediaModel
import Platform
import Simulation
import Sync

/// Media workers that look only at the size of a photo or video, and fail as real ones do.
struct ModelWorkers: MediaExamining {
    let fails: @Sendable () -> Double
    /// The longest time in milliseconds that it takes.
    var longest: @Sendable () -> Int = { History.usualDecoding }
    /// Called before a worker looks at a file that it was given some time ago.
    var reach: @Sendable () -> Void = {}
    /// Called with the bytes of each file for which it reports that there is no picture.
    let failed: @Sendable ([UInt8]) -> Void

    func examine(_ file: OpenFile, _ job: MediaJob) async -> MediaOutcome {
        guard let simulation = Simulation.current else { return .unavailable("no simulation") }
        try? await Task.sleep(for: .milliseconds(Int.random(in: 1...longest(), using: &simulation.random)))
        reach()
        if simulation.random.happens(fails()) {
            let ends: [MediaOutcome] = [
                .crashed(signal: 11), .timedOut, .outOfMemory, .failed("no picture in it"),
                .unavailable("no memory for a process"),
            ]
            let end = ends.randomElement(using: &simulation.random) ?? .timedOut
            simulation.note("decoder: \(end)")
            if case .unavailable = end { return end }
            failed((try? Simulation.outside { () throws(SystemError) in try file.readAll() }) ?? [])
            return end
        }
        var facts = MediaFacts(kind: job.type.kind, type: job.type)
        let size = (try? Simulation.outside { () throws(SystemError) in try file.facts() })?.size ?? 0
        if facts.kind == .sidecar {
            let bytes = try? Simulation.outside { () throws(SystemError) in try file.readAll() }
            facts.takenAt = bytes.flatMap(World.date(inNotes:)).map { Date(timeIntervalSince1970: $0) }
            (facts.takenAtOffset, facts.takenAtSource) = facts.takenAt == nil ? (nil, nil) : (0, .xmp)
            return .examined(facts, [])
        }
        (facts.width, facts.height) = (640, 480)
        facts.contentIdentifier = World.moment(ofSize: Int(size))
        return .examined(
            facts,
            job.specs.map { spec in
                Thumbnail(
                    spec: spec, width: 64, height: 48, bytes: Array("picture of \(size) at \(spec.longSide)".utf8))
            })
    }

    func tend() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
    }
}
