import Fixtures
import Foundation
import Platform
import Records
import TestSupport
import Testing

@testable import Queue
@testable import Uploading

/// Budgets and circuits in long histories: whatever comes, what they promise holds.
@Suite struct BudgetHistoryTests {
    /// The same budget, kept as a list of what was reserved.
    private struct Model {
        let limit: Int64
        var stored: Int64
        var leftovers: [Item: Int64] = [:]
        var reserved: [Item: Int64] = [:]

        /// Of one key counts what lies there or what is sent to it, whichever is more.
        var used: Int64 {
            let keys = Set(leftovers.keys).union(reserved.keys)
            return stored + keys.reduce(0) { $0 + max(leftovers[$1] ?? 0, reserved[$1] ?? 0) }
        }
    }

    @Test(arguments: 0..<40)
    func roomIsWhatIsLeft(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let items = (0..<6).map { Items.pending(FilePath("\($0).jpg")) }
        let limit = Int64.random(in: 0...1_000, using: &random)
        let stored = Int64.random(in: 0...1_200, using: &random)
        var budget = StorageBudget(limit: limit, occupancy: Occupancy(stored: stored))
        var model = Model(limit: limit, stored: stored)
        for _ in 0..<200 {
            let item = items[Int.random(in: items.indices, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0...1:
                let size = Int64.random(in: 0...600, using: &random)
                let replaced = Bool.random(using: &random) ? Int64.random(in: 0...600, using: &random) : 0
                model.reserved[item] = nil
                let growth = size - replaced
                let fits = growth <= 0 || model.used - (model.leftovers[item] ?? 0) + growth <= limit
                let isReserved = budget.reserve(item.id, size - replaced, at: item.objectKey)
                #expect(isReserved == fits)
                if fits { model.reserved[item] = size - replaced }
            case 2:
                let had = model.reserved.removeValue(forKey: item)
                let used = budget.used
                budget.release(item.id)
                #expect((budget.used < used) == ((had ?? 0) > model.leftovers[item] ?? 0))
            case 3:
                let freed = Int64.random(in: 0...50, using: &random)
                let growth = model.reserved.removeValue(forKey: item)
                model.stored = max(0, model.stored + (growth ?? 0) - freed)
                budget.release(item.id)
            case 4:
                model.stored = max(0, model.stored - Int64.random(in: 0...300, using: &random))
            default:
                model.leftovers[item] = Int64.random(in: 0...300, using: &random)
            }
            var leftovers = Leftovers()
            for (item, bytes) in model.leftovers { leftovers.add(bytes, at: item.objectKey.text) }
            budget.occupancy = Occupancy(stored: model.stored, leftovers: leftovers)
            #expect(budget.room == max(0, limit - model.used))
        }
    }

    @Test(arguments: 0..<10)
    func withoutALimitEverythingFits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var budget = StorageBudget(
            limit: nil, occupancy: Occupancy(stored: Int64.random(in: 0...(.max / 2), using: &random)))
        for number in 0..<20 {
            let item = Items.pending(FilePath("\(number).jpg"))
            let size = Int64.random(in: 0...1_000_000, using: &random)
            let isReserved = budget.reserve(item.id, size, at: item.objectKey)
            #expect(isReserved)
            #expect(budget.room == nil)
        }
    }

    // MARK: Circuits

    private static let signs: [Circuit.Sign] =
        [
            .fine, .silent, .none, .busy(after: nil), .busy(after: .seconds(90)), .busy(after: .seconds(1_000_000)),
            .busy(after: .seconds(-5)),
        ]
        + Circuit.Reason.allCases.filter { $0 != .offline && $0 != .overloaded }.map { .closed($0) }

    /// However answers come: it is never shut without a way out, and never asks oftener than it may.
    @Test(arguments: 0..<60)
    func aCircuitNeverStaysOpenWithoutAWayOut(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var circuit = Circuit()
        var now = Items.now
        var isProbing = false
        for _ in 0..<300 {
            now += Double.random(in: 0...90, using: &random)
            if circuit.mayProbe(at: now), Bool.random(using: &random) {
                circuit.probe()
                isProbing = true
                #expect(!circuit.mayProbe(at: now + 1_000_000))
            }
            let sign = Self.signs[Int.random(in: Self.signs.indices, using: &random)]
            let before = circuit.reason
            let ended = circuit.note(sign, at: now, random: Double.random(in: 0..<1, using: &random))
            // What ended was open, and is not any more.
            if let ended { #expect(ended == before && circuit.reason != ended) }
            if sign == .fine, isProbing { #expect(!circuit.isOpen) }
            isProbing = false
            if circuit.isOpen { #expect(circuit.since != nil) }
            if let probeAt = circuit.probeAt {
                #expect(probeAt.timeIntervalSince(now) <= Circuit.hour * 1.01)
                // Whatever became of the probe before, its time comes.
                #expect(circuit.mayProbe(at: probeAt))
            }
            #expect(!circuit.isOpen || circuit.probeAt != nil)
            if !circuit.isOpen { #expect(!circuit.mayProbe(at: now + 1_000_000) && circuit.probeAt == nil) }
        }
        _ = circuit.reset()
        #expect(!circuit.isOpen && circuit.probeAt == nil)
    }
}
