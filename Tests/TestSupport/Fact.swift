/// One row of a table: a sentence, its input and its output.
package struct Fact<Input: Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
    /// The sentence, which names the row if it fails.
    package let description: String
    /// The input.
    package let input: Input
    /// The output that the input must yield.
    package let output: Output

    /// A row of a table.
    package init(_ sentence: String, _ input: Input, _ output: Output) {
        description = sentence
        self.input = input
        self.output = output
    }
}
