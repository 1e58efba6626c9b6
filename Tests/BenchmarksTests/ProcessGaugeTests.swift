import Platform
import TestSupport
import Testing

@testable import Benchmarks

@Suite struct ProcessGaugeTests {
    private let own = ProcessGauge(Host.processID)

    @Test func aRunningProcessHasMemoryAndTime() throws {
        let resident = try #require(own.residentBytes)
        #expect(try #require(own.anonymousBytes) <= resident)
        #expect(try #require(own.peakBytes) > 1 << 20)
        #expect(own.ticks >= 0)
        #expect(!own.sleeps.isEmpty)
    }

    @Test func oneThatEndedHasNone() async throws {
        let child = try ChildProcess.spawn("/bin/true")
        _ = try await child.end("it does nothing and ends")
        let gauge = ProcessGauge(child.id)
        #expect(gauge.peakBytes == nil)
        #expect(gauge.residentBytes == nil)
        #expect(gauge.sleeps.isEmpty)
        #expect(gauge.ticks == 0)
    }

    @Test func aFamilyIsAProcessAndWhatItStarted() async throws {
        let child = try ChildProcess.spawn("/bin/sleep", arguments: ["60"])
        let family = ProcessGauge.family(of: Host.processID)
        child.kill()
        _ = await child.exit
        #expect(family.count >= 2)
        #expect(ProcessGauge.family(of: child.id).compactMap(\.peakBytes).isEmpty)
    }

    @Test func threadsThatComeAndGoAreNoMinus() {
        let before: [FilePath: Int] = ["1": 10, "2": 900]
        #expect(ProcessGauge.wakeups(from: before, to: ["1": 12, "3": 4]) == 6)
        #expect(ProcessGauge.wakeups(from: before, to: before) == 0)
    }

    /// The kernel gives the number of a thread that ended to another one, which begins at 0.
    @Test(arguments: [(7, 7), (99, 99), (100, 0), (101, 1)])
    func aNumberThatIsUsedAgainIsNoMinus(after: Int, wakeups: Int) {
        #expect(ProcessGauge.wakeups(from: ["1": 100], to: ["1": after]) == wakeups)
    }

    @Test(
        arguments: [
            ("VmHWM:\t   1234 kB", 1234), ("Name:\tx\nVmHWM: 5 kB\n", 5), ("XVmHWM: 5 kB", nil), ("VmHWM:", nil),
            ("", nil),
        ])
    func aNumberFollowsItsLabel(text: String, number: Int?) {
        #expect(ProcessGauge.number("VmHWM:", in: text) == number)
    }
}
