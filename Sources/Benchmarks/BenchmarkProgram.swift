import Platform

/// `gallery-sync-bench`: measures the promised numbers, and other programs in the same run for comparison.
@main enum BenchmarkProgram {
    static func main() async {
        Signals.block([])
        let words = Arguments.all.map { String(decoding: $0, as: UTF8.self) }
        let code: BenchmarkExit
        do throws(BenchmarkOrder.Misuse) {
            code = await run(try BenchmarkOrder(words))
        } catch {
            Output.note("gallery-sync-bench: \(error.message)\n\n\(BenchmarkOrder.usage)")
            code = .usage
        }
        code.leave()
    }

    private static func run(_ order: BenchmarkOrder) async -> BenchmarkExit {
        switch order.wish {
        case .help:
            Output.result(BenchmarkOrder.usage)
            return .success
        case .list:
            for benchmark in Benchmark.all { Output.result("\(benchmark.name)  \(benchmark.summary)") }
            return .success
        case .measure:
            return await measure(order)
        }
    }

    private static func measure(_ order: BenchmarkOrder) async -> BenchmarkExit {
        do {
            let bench = try Workbench(order)
            let machine = Machine.present
            var measurements: [Measurement] = []
            for benchmark in order.benchmarks {
                Output.note("\(benchmark.name): \(benchmark.summary)")
                measurements += await benchmark.measurements(on: bench)
            }
            await bench.clear()
            let sheet = ResultSheet(machine: machine, measurements: measurements)
            Output.result(order.isJSON ? try sheet.json() : sheet.table)
            return BenchmarkExit(measurements)
        } catch {
            Output.note("gallery-sync-bench: \(error)")
            return .failure
        }
    }
}
