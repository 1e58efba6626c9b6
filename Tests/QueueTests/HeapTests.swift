import TestSupport
import Testing

@testable import Queue

@Suite struct HeapTests {
    @Test func theSmallestComesOutFirstWhateverTheOrderIn() {
        var generator = SeededGenerator(seed: 2)
        for count in 0..<60 {
            let numbers = (0..<count).map { _ in Int.random(in: 0..<20, using: &generator) }
            var heap = Heap<Int>()
            for number in numbers { heap.insert(number) }
            #expect(heap.first == numbers.min() && heap.isEmpty == numbers.isEmpty)
            var sorted: [Int] = []
            while let number = heap.popFirst() { sorted.append(number) }
            #expect(sorted == numbers.sorted())
        }
    }

    @Test func insertionsAndRemovalsMayAlternate() {
        var generator = SeededGenerator(seed: 3)
        var heap = Heap<Int>()
        var model: [Int] = []
        for _ in 0..<2_000 {
            if Bool.random(using: &generator) {
                let number = Int.random(in: 0..<100, using: &generator)
                heap.insert(number)
                model = (model + [number]).sorted()
            } else {
                #expect(heap.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
        }
    }
}
