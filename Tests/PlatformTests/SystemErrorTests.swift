import Glibc
import Testing

@testable import Platform

@Suite struct SystemErrorTests {
    @Test func anErrorSaysWhatOnWhatAndWhy() {
        #expect(
            SystemError(call: "open", code: ENOSPC, path: "/a/é").description == "/a/é: No space left on device")
        #expect(SystemError(call: "poll", code: EINTR).description == "Interrupted system call")
        #expect(SystemError(call: "poll", code: EINTR).debugDescription == "Interrupted system call (poll, 4)")
        #expect(
            SystemError(call: "pthread_create", code: EAGAIN).description.hasPrefix("no more threads can be started"))
        #expect(SystemError.diskAway("/mnt/usb").description == "/mnt/usb is not mounted, or another disk is there now")
    }

    @Test(
        arguments: [
            (ENOENT, \SystemError.isMissing), (ENOTDIR, \.isMissing), (EEXIST, \.isPresent), (EACCES, \.isDenied),
            (EPERM, \.isDenied), (ENOSPC, \.isDiskFull), (EDQUOT, \.isDiskFull), (ETIMEDOUT, \.isTimeout),
        ] as [(Int32, any KeyPath<SystemError, Bool> & Sendable)])
    func causesHaveNames(code: Int32, cause: any KeyPath<SystemError, Bool> & Sendable) {
        #expect(SystemError(call: "x", code: code)[keyPath: cause])
        #expect(!SystemError(call: "x", code: EIO)[keyPath: cause])
    }

    @Test(arguments: [
        (ENOSPC, "Make room"), (EDQUOT, "Make room"), (EROFS, "Mount that disk"),
        (EACCES, "Give this user the right"), (EIO, nil),
    ])
    func adviceIsGivenWhereTheCauseIsKnown(_ code: Int32, _ start: String?) {
        let advice = SystemError(call: "write", code: code).advice
        #expect(start.map { advice?.hasPrefix($0) == true } ?? (advice == nil))
    }

    @Test func interruptedCallsAreRepeated() throws {
        var calls = 0
        let result = try SystemError.check("read") {
            calls += 1
            errno = EINTR
            return calls < 4 ? -1 : 7
        }
        #expect(result == 7)
        #expect(calls == 4)
    }

    @Test func otherFailuresAreThrownAtOnce() {
        let error = #expect(throws: SystemError.self) {
            try SystemError.check("read", "p") {
                errno = EIO
                return -1
            }
        }
        #expect(error == SystemError(call: "read", code: EIO, path: "p"))
        #expect(throws: SystemError.self) { try SystemError.checkNumber(EAGAIN, "pthread_create") }
        #expect((try? SystemError.checkNumber(0, "pthread_create")) != nil)
    }

    @Test(arguments: [
        (0, 0, 0), (1, 0, 1), (999_999_999, 0, 999_999_999), (1_000_000_000, 1, 0), (-1, -1, 999_999_999),
        (-1_000_000_000, -1, 0), (-1_000_000_001, -2, 999_999_999),
    ])
    func timesOfTheKernelRoundDown(nanoseconds: Int64, seconds: Int, rest: Int) {
        let time = FileTime(nanoseconds: nanoseconds).timespec
        #expect(time.tv_sec == seconds)
        #expect(time.tv_nsec == rest)
        #expect(FileTime(time) == FileTime(nanoseconds: nanoseconds))
    }

    @Test func wakeupsStayRaised() throws {
        let wakeup = try Wakeup()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (OpenFile(descriptor: ends[0]), OpenFile(descriptor: ends[1]))
        try writer.append([1])
        #expect(try wakeup.wait(for: reader.descriptor))
        wakeup.raise()
        wakeup.raise()
        #expect(try !wakeup.wait(for: reader.descriptor))
        #expect(try !wakeup.wait(for: reader.descriptor))
    }
}
