import Platform
import Testing

@testable import Benchmarks

@Suite struct BenchmarkOrderTests {
    private func order(_ words: String) throws -> BenchmarkOrder {
        try BenchmarkOrder(words.split(separator: " ").map { String($0) })
    }

    @Test func withoutWordsEveryRowIsMeasuredAtFullSize() throws {
        let order = try order("")
        #expect(order.benchmarks.map(\.name) == Benchmark.all.map(\.name))
        #expect(order.scale == .full)
        #expect(order.wish == .measure)
        #expect(!order.isJSON)
        #expect(order.folder == nil)
    }

    @Test func rowsAreMeasuredInTheOrderNamed() throws {
        #expect(try order("status rescan").benchmarks.map(\.name) == ["status", "rescan"])
    }

    @Test func aSizeGivenStandsWhereverQuickIs() throws {
        let wanted = Scale(
            assets: 1000, uploads: 20, largeBytes: Scale.quick.largeBytes, media: Scale.quick.media,
            transitions: 50_000, rounds: 1,
            idleSeconds: Scale.quick.idleSeconds)
        #expect(try order("--assets 1000 --quick --uploads 20 --rounds 1").scale == wanted)
        #expect(try order("--quick --uploads 20 --rounds 1 --assets 1000").scale == wanted)
    }

    @Test func eachSizeHasItsOption() throws {
        let scale = try order("--assets 300 --uploads 11 --large 16 --media 4 --transitions 2000 --rounds 7").scale
        #expect(scale.assets == 300)
        #expect(scale.uploads == 11)
        #expect(scale.largeBytes == 16 << 20)
        #expect(scale.media == 4)
        #expect(scale.transitions == 2000)
        #expect(scale.rounds == 7)
    }

    @Test func theFolderAndTheFormAreTaken() throws {
        let order = try order("--folder /tmp/here --corpus /tmp/photos --json idle")
        #expect(order.folder == "/tmp/here")
        #expect(order.corpus == "/tmp/photos")
        #expect(order.isJSON)
    }

    @Test(arguments: [("--help", BenchmarkOrder.Mode.help), ("-h", .help), ("status --list", .list)])
    func otherWishesWin(words: String, wish: BenchmarkOrder.Mode) throws {
        #expect(try order(words).wish == wish)
    }

    @Test(
        arguments: [
            ("thumbs", "No row \"thumbs\"."),
            ("--fast", "No option \"--fast\"."),
            ("--rounds", "--rounds needs a value."),
            ("--folder", "--folder needs a value."),
            ("--rounds 0", "--rounds wants a number from 1 to 100."),
            ("--rounds many", "--rounds wants a number from 1 to 100."),
            ("--assets 199", "--assets wants a number from 200 to 10000000."),
        ])
    func misuseIsNamed(words: String, message: String) {
        #expect(throws: BenchmarkOrder.Misuse(message: message)) { try order(words) }
    }

    @Test func theUsageNamesEveryRow() {
        for benchmark in Benchmark.all { #expect(BenchmarkOrder.usage.contains(benchmark.name)) }
    }

    @Test func noTwoRowsShareAName() {
        #expect(Set(Benchmark.all.map(\.name)).count == Benchmark.all.count)
    }
}
