import Testing
import Uploading

@Suite struct OpenFileBudgetTests {
    @Test(arguments: [
        ("a usual limit gives all that is wanted", 1024, 30, 32, 8),
        ("a low one gives a few", 64, 20, 5, 2),
        ("none is left: one at a time", 20, 20, 1, 1),
    ])
    func shares(_ sentence: String, limit: Int, inUse: Int, reading: Int, sending: Int) {
        let budget = OpenFileBudget(limit: limit, inUse: inUse, reading: 32, sending: 8)
        #expect(budget.reading == reading, Comment(rawValue: sentence))
        #expect(budget.sending == sending, Comment(rawValue: sentence))
    }
}
