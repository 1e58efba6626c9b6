import Fixtures
import Foundation
import Platform
import TestSupport
import Testing

@testable import Queue
@testable import Rescue

/// A store without references has no thread and no open file, whether it was closed or not.
@Suite struct LetGoTests {
    @Test(arguments: [false, true])
    func fiftyQueuesLeaveNothingOpen(areClosed: Bool) async throws {
        try await FileTree().withDirectory { folder in
            for number in 0..<50 {
                let queue = try UploadQueue(store: try QueueStore(state: folder), now: Items.now)
                _ = try await queue.add(Items.pending(FilePath("\(number).jpg")), origin: .backlog, now: Items.now)
                // A fold begins a new journal and ends the one before.
                if areClosed { try await queue.close() }
            }
            try await eventually("the journals' threads end", seen: { try? OpenFiles.below(folder).description }) {
                try OpenFiles.below(folder).isEmpty
            }
        }
    }

    @Test func fiftyBooksLeaveNothingOpen() async throws {
        try await FileTree().withDirectory { folder in
            for number in 0..<50 {
                let registry = try JobRegistry(store: try JobStore(state: folder))
                _ = try await registry.add([Job(RescueLink("https://cdn.example/\(number).mp4"), addedAt: Items.now)])
            }
            try await eventually("the journals' threads end", seen: { try? OpenFiles.below(folder).description }) {
                try OpenFiles.below(folder).isEmpty
            }
        }
    }

    @Test func aRescuerLeavesNothingOpen() async throws {
        try await RescuerTests.with { bench in
            _ = try await bench.run()
            try await eventually("the rescuer is gone", seen: { try? OpenFiles.below(bench.folder).description }) {
                try OpenFiles.below(bench.folder).isEmpty
            }
        }
    }
}
