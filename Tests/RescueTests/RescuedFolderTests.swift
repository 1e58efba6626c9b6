import Configuration
import Fixtures
import Foundation
import Platform
import Restoring
import TestSupport
import Testing

@testable import Rescue

/// The steps of a download at the disk, each of which may be the last before a crash.
@Suite(.timeLimit(.minutes(5))) struct RescuedFolderTests {
    static let path: FilePath = "fal/2026-11/r1.json"
    static let draft: FilePath = "fal/2026-11/r1.json.part"
    static let part: FilePath = "fal/2026-11/r1.part"
    static let old = Array("old facts".utf8)
    static let new = Array("new".utf8)

    private static func folder(_ root: FilePath) throws -> RescuedFolder {
        RescuedFolder(folder: LocalRestoreFolder(try Directory(root)))
    }

    private static func put(_ bytes: [UInt8], _ path: FilePath, _ root: FilePath) throws {
        try Directory.create(at: root.appending(path).parent)
        try OpenFile(creating: root.appending(path)).append(bytes)
    }

    /// What a file holds; `nil` where there is none.
    private static func bytes(_ path: FilePath, _ root: FilePath) throws -> [UInt8]? {
        guard try FileFacts.existing(root.appending(path)) != nil else { return nil }
        return try OpenFile(reading: root.appending(path)).readAll()
    }

    // MARK: Parts

    /// Bytes beyond those that are known to be durable may be of another answer; fewer than those are no beginning.
    @Test(
        arguments: [
            (nil, 0, 0), (nil, 1, nil), (0, 0, 0), (9, 0, 0), (9, 8, 8), (9, 9, 9), (9, 10, nil),
        ] as [(Int?, Int64, Int64?)])
    func aPartIsOpenedWithWhatIsDurable(held: Int?, known: Int64, left: Int64?) async throws {
        try await FileTree().withDirectory { root in
            if let held { try Self.put(Array("123456789".utf8.prefix(held)), Self.part, root) }
            let part = try await Self.folder(root).part(Self.part, holding: known)
            let size = try part?.facts().size
            #expect(size == left)
            if let left { #expect(try Self.bytes(Self.part, root) == Array("123456789".utf8.prefix(Int(left)))) }
        }
    }

    @Test func aPartThatIsOpenAlreadyIsNotTouched() async throws {
        try await FileTree().withDirectory { root in
            try Self.put(Self.old, Self.part, root)
            let folder = try Self.folder(root)
            let first = try await folder.part(Self.part, holding: 9)
            await #expect(throws: SystemError.self) { _ = try await folder.part(Self.part, holding: 0) }
            #expect(try first?.readAll() == Self.old)
        }
    }

    @Test(arguments: [(0, 0), (4, 4), (9, 9), (10, 9)] as [(Int64, Int)])
    func whatIsKeptEndsWhereItIsKnown(size: Int64, left: Int) async throws {
        try await FileTree().withDirectory { root in
            try Self.put(Self.old, Self.part, root)
            let folder = try Self.folder(root)
            let part = try #require(try await folder.part(Self.part, holding: 9))
            try await folder.keep(part, size)
            #expect(try Self.bytes(Self.part, root) == Array(Self.old.prefix(left)))
        }
    }

    // MARK: Names

    @Test func aNameIsGivenOnceAndNeverTakenFromAnother() async throws {
        try await FileTree().withDirectory { root in
            let folder = try Self.folder(root)
            try Self.put(Self.old, Self.path, root)
            try Self.put(Self.new, Self.draft, root)
            let taken = await #expect(throws: SystemError.self) {
                try await folder.place(Self.draft, as: Self.path)
            }
            #expect(taken?.isPresent == true)
            #expect(try Self.bytes(Self.path, root) == Self.old)
            #expect(try Self.bytes(Self.draft, root) == Self.new)
            try await folder.remove(Self.path)
            try await folder.place(Self.draft, as: Self.path)
            #expect(try Self.bytes(Self.path, root) == Self.new)
            let again = await #expect(throws: SystemError.self) {
                try await folder.place(Self.draft, as: Self.path)
            }
            #expect(again?.isMissing == true)
        }
    }

    /// A crash may leave a draft that is longer.
    @Test func aFormerDraftIsNotMixedIn() async throws {
        try await FileTree().withDirectory { root in
            let folder = try Self.folder(root)
            try Self.put(Self.old, Self.draft, root)
            try await folder.write(Self.new, as: Self.path, by: Self.draft)
            #expect(try Self.bytes(Self.path, root) == Self.new)
            try Self.put(Self.old, Self.draft, root)
            #expect(try await folder.write(Self.new, asFree: "fal/2026-11/r2.json", by: Self.draft))
            #expect(try Self.bytes("fal/2026-11/r2.json", root) == Self.new)
        }
    }

    @Test func onlyAFileHasADigest() async throws {
        try await FileTree().withDirectory { root in
            let folder = try Self.folder(root)
            #expect(try await folder.digest(of: Self.path) == nil)
            try Self.put(Self.new, Self.path, root)
            #expect(try await folder.digest(of: Self.path) == SHA256.hash(Self.new).hexadecimal)
            #expect(try await folder.digest(of: Self.path.parent) == nil)
        }
    }

    // MARK: Faults

    struct Fault: CustomTestStringConvertible, Sendable {
        let code: Int32
        let staysBroken: Bool
        var testDescription: String { "\(code), \(staysBroken ? "from then on" : "once")" }
    }

    /// A full disk and a broken one, for one call and for all that follow.
    static let faults = [(28, true), (28, false), (5, true), (5, false)].map { Fault(code: $0, staysBroken: $1) }

    /// Runs `body` with each call failing in turn until none fails, on a tree of its own; how many calls there are.
    private static func each(
        _ fault: Fault, _ body: (FilePath, FailingFolder) async throws -> Void
    ) async throws -> Int {
        for count in 0... {
            let isThrough = Shared(false)
            try await FileTree().withDirectory { root in
                let failing = try FailingFolder(
                    root, callsBeforeFailure: count, code: fault.code, staysBroken: fault.staysBroken)
                try await body(root, failing)
                isThrough.change { $0 = !failing.hasFailed }
            }
            if isThrough.value { return count }
        }
        return 0
    }

    /// Facts are replaced: at no time do half of them stand there, and the next run has them whole.
    @Test(arguments: faults, [true, false])
    func factsAreReplacedAsAWhole(fault: Fault, isFirst: Bool) async throws {
        let calls = try await Self.each(fault) { root, failing in
            if !isFirst { try Self.put(Self.old, Self.path, root) }
            do throws(SystemError) {
                try await RescuedFolder(folder: failing).write(Self.new, as: Self.path, by: Self.draft)
                #expect(!failing.hasFailed)
            } catch {
                #expect(error.code == fault.code, "\(failing.failedCall)")
            }
            let now = try Self.bytes(Self.path, root)
            #expect([nil, Self.old, Self.new].contains(now), "\(failing.failedCall)")
            try await Self.folder(root).write(Self.new, as: Self.path, by: Self.draft)
            #expect(try Self.bytes(Self.path, root) == Self.new)
            #expect(try Self.bytes(Self.draft, root) == nil)
        }
        #expect(calls > 5)
    }

    /// A name that another has stays with it through every fault, and no draft stays.
    @Test(arguments: faults, [true, false])
    func aFreeNameIsTakenAndNoOther(fault: Fault, isFree: Bool) async throws {
        let calls = try await Self.each(fault) { root, failing in
            if !isFree { try Self.put(Self.old, Self.path, root) }
            do throws(SystemError) {
                let wasFree = try await RescuedFolder(folder: failing).write(
                    Self.new, asFree: Self.path, by: Self.draft)
                #expect(wasFree == isFree)
                #expect(!failing.hasFailed)
            } catch {
                #expect(error.code == fault.code, "\(failing.failedCall)")
            }
            let now = try Self.bytes(Self.path, root)
            #expect(isFree ? [nil, Self.new].contains(now) : now == Self.old, "\(failing.failedCall)")
            _ = try await Self.folder(root).write(Self.new, asFree: Self.path, by: Self.draft)
            #expect(try Self.bytes(Self.path, root) == (isFree ? Self.new : Self.old))
            #expect(try Self.bytes(Self.draft, root) == nil)
        }
        #expect(calls > 5)
    }

    /// A job's files, of which one has a name that is taken, each with every call failing in turn.
    @Test(arguments: faults, [0, 1])
    func aJobsFilesAreEachPlacedOnce(fault: Fault, taken: Int) async throws {
        let job = Jobs.generation()
        let bytes = [Array("the video".utf8), Array("the poster".utf8)]
        let named = [RescuedPlace(job, 0).named(".mp4"), RescuedPlace(job, 1).named(".png")]
        let calls = try await Self.each(fault) { root, failing in
            try Self.put(Self.old, named[taken], root)
            var files: [JobFile] = []
            for index in 0..<2 {
                var file = Jobs.link().files[0]
                (file.stage, file.path) = (.probed, named[index])
                file.sha256 = SHA256.hash(bytes[index]).hexadecimal
                (file.bytes, file.received) = (Int64(bytes[index].count), Int64(bytes[index].count))
                try Self.put(bytes[index], RescuedPlace(job, index).part, root)
                files.append(file)
            }
            for folder in [RescuedFolder(folder: failing), try Self.folder(root)] {
                let placement = Placement(folder: folder, workers: nil, settings: Settings().thumbnails)
                for index in files.indices {
                    do {
                        for _ in 0..<3 where files[index].stage == .probed {
                            files[index] = try await placement.placed(files[index], of: job, index)
                        }
                    } catch let error as SystemError {
                        #expect(error.code == fault.code, "\(failing.failedCall)")
                    }
                }
            }
            #expect(try Self.bytes(named[taken], root) == Self.old)
            for index in 0..<2 {
                #expect(files[index].stage == .safe, "\(failing.failedCall)")
                let path = try #require(files[index].path)
                #expect((path == named[index]) == (index != taken))
                #expect(try Self.bytes(path, root) == bytes[index])
                let stem = FilePath(bytes: path.bytes.dropLast(4) + Array(".json".utf8))
                let facts = try #require(try Self.bytes(stem, root))
                #expect(try JSONDecoder().decode(Sidecar.self, from: Data(facts)) == Sidecar(files[index], of: job))
            }
            #expect(try Directory(root.appending("fal/2026-11")).names().count == 5, "\(failing.failedCall)")
        }
        #expect(calls > 10)
    }
}
