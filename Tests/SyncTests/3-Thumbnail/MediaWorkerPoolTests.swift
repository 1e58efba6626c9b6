import Fixtures
import Foundation
import Glibc
import MediaModel
import Platform
import Sync
import TestSupport
import Testing

/// The real worker with its confinement.
@Suite(.serialized) struct MediaWorkerPoolTests {
    @Test(arguments: [("jpeg", MediaType.jpeg), ("png", .png), ("jxl", .jxl), ("mp4", .mp4), ("webm", .webm)])
    func aFileIsExaminedInAnotherProcess(format: String, type: MediaType) async throws {
        try await MediaFixture.with { fixture in
            let file = try await fixture.made(format, size: "64x48")
            let outcome = try await fixture.pool().examine(file, MediaFixture.job(type))
            guard case .examined(let facts, let thumbnails) = outcome else { throw NoFacts() }
            #expect(facts.type == type)
            #expect(facts.width == 64)
            #expect(facts.notes == [])
            #expect(thumbnails.map(\.width) == [32])
            #expect(thumbnails.first?.bytes.prefix(2) == [0xFF, 0xD8])
        }
    }

    @Test func aWorkerIsUsedAgain() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            let file = try await fixture.made("jpeg", size: "64x48")
            for _ in 0..<3 { #expect(await pool.examine(file, MediaFixture.job(.jpeg)).isPicture) }
            let first = await pool.idleProcesses
            #expect(await pool.examine(file, MediaFixture.job(.jpeg)).isPicture)
            #expect(await pool.idleProcesses == first)
            #expect(first.count == 1)
        }
    }

    @Test func noMoreWorkersRunThanAllowed() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool(count: 2)
            let file = try await fixture.made("jpeg", size: "64x48")
            let pictures = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<12 { group.addTask { await pool.examine(file, MediaFixture.job(.jpeg)).isPicture } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(pictures == 12)
            #expect((1...2).contains(await pool.idleProcesses.count))
        }
    }

    /// no_new_privs and the system call filter are required, whatever else the kernel refuses.
    @Test func aWorkerStandsBehindItsWalls() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            _ = await pool.examine(try await fixture.made("jpeg", size: "64x48"), MediaFixture.job(.jpeg))
            let id = try #require(await pool.idleProcesses.first)
            let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2\n"))
            #expect(status.contains("NoNewPrivs:\t1\n"))
            let limits = try String(contentsOfFile: "/proc/\(id)/limits", encoding: .utf8)
            #expect(limits.contains(/Max core file size +0 +0/))
            #expect(limits.contains(/Max data size +1073741824 +1073741824/))
        }
    }

    private static let hasFontsOfEastAsia = [
        "/usr/share/poppler/cMap/Adobe-Japan1/90ms-RKSJ-H", "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    ].allSatisfy { FileManager.default.fileExists(atPath: $0) }

    private static let japanese = """
        /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [ <<
        /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light
        /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
        /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 >> >> ]
        """

    /// Its decoder opens the font by its path, behind the walls; letters without a font are missed in words.
    @Test(arguments: [
        ("/Type /Font /Subtype /Type1 /BaseFont /Helvetica", "(Text)", true), (japanese, "<82A0>", hasFontsOfEastAsia),
    ])
    func textInAFontOfThisComputerIsDrawn(font: String, text: String, isThere: Bool) async throws {
        let document = """
            %PDF-1.7
            1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
            2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
            3 0 obj << /Type /Page /MediaBox [0 0 100 50] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj
            4 0 obj << /Length 34 >> stream
            BT /F 40 Tf 10 10 Td \(text) Tj ET
            endstream endobj
            5 0 obj << \(font) >> endobj
            trailer << /Root 1 0 R >>
            """
        try await MediaFixture.with { fixture in
            let file = try OpenFile(creating: fixture.folder.appending("text.pdf"))
            try file.write(Array(document.utf8), at: 0)
            let outcome = try await fixture.pool().examine(file, MediaFixture.job(.pdf))
            guard case .examined(let facts, let thumbnails) = outcome else { throw NoFacts() }
            #expect(facts.notes.isEmpty == isThere)
            #expect(thumbnails.count == (isThere ? 1 : 0))
        }
    }

    /// Letters that fill their whole place; of letters without a font only the outlines of boxes are drawn.
    @Test func textOfADrawingIsDrawn() async throws {
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
            <text y="40" font-size="60" font-family="Helvetica">\u{2588}\u{2588}\u{2588}\u{2588}</text></svg>
            """
        try await MediaFixture.with { fixture in
            let file = try OpenFile(creating: fixture.folder.appending("text.svg"))
            try file.write(Array(drawing.utf8), at: 0)
            let outcome = try await fixture.pool().examine(file, MediaFixture.job(.svg))
            guard case .examined(let facts, _) = outcome else { throw NoFacts() }
            #expect(facts.notes == [])
            // The first six bits are how bright the picture is on the whole.
            let hash = try #require(Data(base64Encoded: facts.thumbHash ?? ""))
            #expect(try #require(hash.first) & 63 < 8)
        }
    }

    @Test func aFileBeyondItsMemoryCostsOnlyItself() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool(memory: 80 << 20)
            let large = try await fixture.made("bmp", size: "5000x4000")
            let small = try await fixture.made("png", size: "64x48")
            let outcome = await pool.examine(large, MediaFixture.job(.bmp))
            #expect(outcome == .outOfMemory)
            #expect(await pool.examine(small, MediaFixture.job(.png)).isPicture)
        }
    }

    @Test func aFileBeyondItsTimeCostsOnlyItself() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool(time: .milliseconds(300))
            let small = try await fixture.made("png", size: "64x48")
            #expect(await pool.examine(try fixture.endless(), MediaFixture.job(.svg)) == .timedOut)
            let patient = try fixture.pool()
            #expect(await patient.examine(small, MediaFixture.job(.png)).isPicture)
            #expect(await pool.idleProcesses == [])
        }
    }

    @Test func aFileBeyondItsProcessorTimeCostsOnlyItself() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool(processorTime: 1)
            let small = try await fixture.made("png", size: "64x48")
            #expect(await pool.examine(small, MediaFixture.job(.png)).isPicture)
            #expect(await pool.examine(try fixture.endless(), MediaFixture.job(.svg)) == .timedOut)
            #expect(await pool.examine(small, MediaFixture.job(.png)).isPicture)
        }
    }

    @Test func aBadFileLeavesTheWorkerAlone() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            let text = try OpenFile(creating: fixture.folder.appending("text.jpg"))
            try text.write(Array("no picture".utf8), at: 0)
            #expect(await pool.examine(text, MediaFixture.job(.jpeg)) == .failed("The bytes are no JPEG"))
            let worker = await pool.idleProcesses
            #expect(await pool.examine(text, MediaFixture.job(.jpeg)) == .failed("The bytes are no JPEG"))
            #expect(await pool.idleProcesses == worker)
        }
    }

    @Test func aWorkerThatWasKilledWhileIdleIsReplaced() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            let file = try await fixture.made("jpeg", size: "64x48")
            _ = await pool.examine(file, MediaFixture.job(.jpeg))
            let first = try #require(await pool.idleProcesses.first)
            kill(first, SIGKILL)
            try await Self.untilEnded(first)
            #expect(await pool.examine(file, MediaFixture.job(.jpeg)).isPicture)
            #expect(await pool.idleProcesses != [first])
        }
    }

    @Test func aWorkerThatIsNotNeededEnds() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool(idle: .milliseconds(1))
            _ = await pool.examine(try await fixture.made("jpeg", size: "64x48"), MediaFixture.job(.jpeg))
            let worker = try #require(await pool.idleProcesses.first)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await pool.tend() }
                group.addTask { try await Self.untilEnded(worker) }
                defer { group.cancelAll() }
                _ = try await group.next()
            }
            #expect(await pool.idleProcesses == [])
        }
    }

    @Test func aClosedPoolHasNoWorkers() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            _ = await pool.examine(try await fixture.made("jpeg", size: "64x48"), MediaFixture.job(.jpeg))
            let worker = try #require(await pool.idleProcesses.first)
            await pool.close()
            try await Self.untilEnded(worker)
        }
    }

    @Test func aCancelledJobEndsItsWorker() async throws {
        try await MediaFixture.with { fixture in
            let pool = try fixture.pool()
            let endless = try fixture.endless()
            let outcome = await withTaskGroup(of: MediaOutcome.self) { group in
                group.addTask { await pool.examine(endless, MediaFixture.job(.svg)) }
                group.cancelAll()
                return await group.next()
            }
            #expect(outcome == .failed("cancelled"))
            #expect(await pool.idleProcesses == [])
        }
    }

    /// Returns when the process has been reaped, which happens on another thread.
    private static func untilEnded(_ process: Int32) async throws {
        try await eventually("the worker \(process) is gone") { !Host.isRunning(process) }
    }

    private struct NoFacts: Error {}
}
