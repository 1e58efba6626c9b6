import Glibc
import TestSupport
import Testing

@testable import Platform

/// Whatever fails, no descriptor stays open: each test has a process of its own, in which nothing else opens any.
///
/// Its threads and the test library may open or close a few meanwhile.
@Suite struct DescriptorTests {
    enum Deed: String, CaseIterable, Codable, Sendable {
        case missingProgram, programWithDescriptors, missingDescriptor, missingDirectory, fileAsDirectory, listing
        case outside, lockRefused, lockedFile, message, brokenMessage, watchOfNothing, replaced, removedTree
    }

    /// Does it once; whether it fails does not matter.
    static func perform(_ deed: Deed, in root: FilePath) throws {
        switch deed {
        case .missingProgram: _ = try? ChildProcess.spawn("/nowhere/program")
        case .programWithDescriptors:
            let file = try OpenFile(reading: "/dev/null")
            _ = try? ChildProcess.spawn("/nowhere/program", descriptors: [3: file.descriptor, 9: file.descriptor])
        case .missingDescriptor: _ = try? ChildProcess.spawn("/bin/sh", descriptors: [3: 0, 9: 9_999])
        case .missingDirectory: _ = try? Directory(root.appending("none/none"))
        case .fileAsDirectory: _ = try? Directory(root).open(directory: "file")
        case .listing: _ = try Directory(root).names()
        case .outside:
            let directory = try Directory(root)
            _ = try? directory.open(file: "../x")
            _ = try? directory.openBeneath("a/b/none/x", flags: O_RDONLY, mode: 0, byKernel: false)
            _ = try? directory.openBeneath("a/link/x", flags: O_RDONLY, mode: 0, byKernel: false)
        case .lockRefused:
            let lock = try FileLock.acquire(root.appending("lock"))
            #expect(try FileLock.acquire(root.appending("lock")) == nil && lock != nil)
            _ = try FileLock.holder(root.appending("lock"))
        case .lockedFile: _ = try FileLock.holder(root.appending("none"))
        case .message:
            let (kept, child) = try MessageSocket.pair()
            try kept.send([1, 2, 3], passing: try OpenFile(reading: "/dev/null"))
            let message = try child.receive()
            #expect(message?.file != nil)
        case .brokenMessage:
            // The file arrives with the first byte; the message never does.
            let (kept, child) = try MessageSocket.pair(limit: 8)
            try kept.send([1], passing: try OpenFile(reading: "/dev/null"))
            kept.disconnect()
            let small = MessageSocket(descriptor: dup(child.descriptor), limit: 0, acceptsFiles: true)
            #expect(throws: SystemError.self) { try small.receive() }
        case .watchOfNothing: _ = try? TreeWatch(root: root.appending("none")) { _ in true }
        case .replaced:
            _ = try? Directory(root).makeFile(beside: "new") { _, _ throws(SystemError) in
                throw SystemError(call: "write", code: ENOSPC)
            }
        case .removedTree:
            try Directory.create(at: root.appending("t/u/v"))
            try Directory.removeTree(at: root.appending("t"))
        }
    }

    @Test(arguments: Deed.allCases)
    func nothingStaysOpen(deed: Deed) async {
        await #expect(processExitsWith: .success) { [deed] in
            try await FileTree(["file": "x", "a": ["b": [:]]]).withDirectory { root in
                try Directory(root).createLink("a/link", to: "b")
                for _ in 0..<2 { try Self.perform(deed, in: root) }
                let before = OpenFileLimit.inUse
                for _ in 0..<20 { try Self.perform(deed, in: root) }
                #expect(OpenFileLimit.inUse < before + Self.few)
            }
        }
    }

    /// Where no descriptor is left, everything says so, and works again once there are some.
    @Test(arguments: Deed.allCases)
    func withoutDescriptorsNothingCrashesOrLeaks(deed: Deed) async {
        await #expect(processExitsWith: .success) { [deed] in
            try await FileTree(["file": "x", "a": ["b": [:]]]).withDirectory { root in
                try Directory(root).createLink("a/link", to: "b")
                try Self.perform(deed, in: root)
                var limits = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                let before = OpenFileLimit.inUse
                let most = try Directory("/proc/self/fd").names().compactMap { Int($0.display) }.max() ?? 0
                // Each of its calls meets the limit ten times.
                for room in (1...12).flatMap({ [Int](repeating: $0, count: 10) }) {
                    var tight = limits
                    tight.rlim_cur = rlim_t(most + room)
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &tight)
                    _ = try? Self.perform(deed, in: root)
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                }
                try Self.perform(deed, in: root)
                #expect(OpenFileLimit.inUse < before + Self.few)
            }
        }
    }

    /// Descriptors that the process itself may open meanwhile; each deed is done more often than that.
    private static let few = 8
}
