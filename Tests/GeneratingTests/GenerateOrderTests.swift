import Catalog
import Providers
import Records
import Supabase
import Testing

@testable import Generating
@testable import Rescue

@Suite struct GenerateOrderTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var provider = ProviderName.fal
        var cost: Int64?
        var limit: Int64?
        var isConfirmed = false
        let words: String?
    }

    @Test(arguments: [
        Row(testDescription: "nothing said", words: "add --yes, or set providers.fal.maxSpend"),
        Row(testDescription: "a cost without a limit", cost: 1, words: "add --yes, or set providers.fal.maxSpend"),
        Row(testDescription: "a limit without a cost", limit: 1, words: "name it with --cost"),
        Row(testDescription: "both", cost: 1, limit: 1, words: nil),
        Row(testDescription: "yes", isConfirmed: true, words: nil),
        Row(testDescription: "yes within a limit", limit: 1, isConfirmed: true, words: nil),
        Row(testDescription: "elsewhere", provider: .runway, isConfirmed: true, words: "from runway \"jobs add\""),
    ])
    func anOrderNeedsAYesOrALimit(row: Row) {
        let order = GenerateOrder(row.provider, model: "m", input: [:], cost: row.cost, isConfirmed: row.isConfirmed)
        let refusal = order.refusal(limit: row.limit)
        #expect((refusal == nil) == (row.words == nil))
        if let words = row.words { #expect(refusal?.description.contains(words) == true) }
    }

    @Test(
        arguments: [
            (0.0, Int64(0)), (0.35, 350_000), (1_000_000, 1_000_000_000_000), (-0.1, nil), (1_000_001, nil),
            (.nan, nil), (.infinity, nil),
        ] as [(Double, Int64?)])
    func amountsAreMillionths(amount: Double, millionths: Int64?) {
        #expect(GenerateOrder.millionths(amount) == millionths)
    }
}
