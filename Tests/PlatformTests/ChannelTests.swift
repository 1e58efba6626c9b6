import Platform
import Testing

@Suite struct ChannelTests {
    @Test func everyValueArrivesInOrder() async {
        let channel = Channel<Int>(capacity: 3)
        async let sent: Void = Blocking.run {
            for number in 0..<1_000 { _ = channel.send(number) }
            channel.finish()
        }
        var received: [Int] = []
        while let number = await channel.receive() { received.append(number) }
        await sent
        #expect(received == Array(0..<1_000))
    }

    @Test func aSenderThatWaitsForRoomGoesOnWhenReceivingEnds() async {
        let channel = Channel<Int>(capacity: 1)
        #expect(channel.send(1))
        async let isTaken = Blocking.run { channel.send(2) }
        channel.abandon()
        #expect(await isTaken == false)
    }

    @Test func theEndIsToldToOneWhoWaits() async {
        let channel = Channel<Int>(capacity: 1)
        async let last = channel.receive()
        await Blocking.run { channel.finish() }
        #expect(await last == nil)
    }
}
