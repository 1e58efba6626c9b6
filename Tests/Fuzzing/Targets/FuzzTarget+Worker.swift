import MediaModel
import Platform

extension FuzzTarget {
    static let worker = [
        FuzzTarget(
            "worker-job", seeds: { try [MediaJob(type: .jpeg, specs: [ThumbnailSpec(longSide: 512)]).encoded()] },
            read: { bytes in
                guard let job = try? MediaJob(message: bytes) else { return nil }
                let again = try? MediaJob(message: job.encoded())
                return unless(again == job, "written and read again it is \(again as Any)")
            }),
        FuzzTarget("worker-answer", seeds: answers) { bytes in
            guard let answer = try? MediaAnswer(message: bytes) else { return nil }
            let again = try? MediaAnswer(message: answer.encoded())
            return unless(again == answer, "written and read again it is \(again as Any)")
        },
        FuzzTarget("worker-walls", seeds: walls) { bytes in
            guard let walls = try? WorkerWalls(message: bytes) else { return nil }
            return unless((try? WorkerWalls(message: walls.encoded())) == walls, "written and read again it differs")
        },
        FuzzTarget(
            "signature",
            seeds: { ["GIF89a", "RIFF\0\0\0\0WEBP", "....ftypheic", "II*\0", "8BPS"].map { Array($0.utf8) } },
            read: { bytes in
                for name in ["", "jpg", ".heic", "nef", "mov"] {
                    _ = MediaIdentity(header: bytes, fileExtension: Array(name.utf8))
                }
                return nil
            }),
    ]

    @Sendable private static func answers() throws -> [[UInt8]] {
        var facts = MediaFacts(kind: .photo, type: .jpeg)
        facts.notes = ["Damaged"]
        let picture = Thumbnail(spec: ThumbnailSpec(longSide: 16), width: 16, height: 9, bytes: [1, 2, 3])
        let results: [MediaAnswer.Result] = [.examined(facts, [picture, picture]), .failed("no"), .outOfMemory]
        return try results.map { try MediaAnswer(id: 7, result: $0).encoded() }
    }

    @Sendable private static func walls() throws -> [[UInt8]] {
        let refused = WorkerWalls.Refused(wall: "Landlock", reason: "no")
        return [try WorkerWalls(granted: ["filter"], refused: [refused]).encoded()]
    }
}
