import Platform
import Testing

@Suite struct MainThreadTests {
    @Test func itWaitsForWhatOthersDo() async {
        let value = await Blocking.run {
            MainThread.wait {
                await Task.yield()
                return 7
            }
        }
        #expect(value == 7)
    }
}
