import Glibc
import Platform
import Simulation

/// `gallery-sync-simulate`: not shipped; every fault that it finds is mended and gets a test.
@main enum SimulatorProgram {
    static func main() {
        Simulation.begin()
        guard let order = SimulatorOrder(Arguments.all.map { String(decoding: $0, as: UTF8.self) }) else {
            print(SimulatorOrder.usage)
            exit(64)
        }
        OpenFileLimit.raise()
        do {
            if order.jobs > 1 { exit(try Crew.play(order) ? 0 : 1) }
            var campaign = Campaign(order, in: try SimulatorFolder(wanted: order.place))
            let isClean = try campaign.run()
            exit(isClean ? 0 : 1)
        } catch {
            print("The simulator itself failed: \(error)")
            exit(70)
        }
    }
}
