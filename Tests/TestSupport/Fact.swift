/// One row of a table: a sentence, its input and its output.
package struct Fact<Input: Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
    /// The sentence, which names the row where it fails.
    package let description: String
    /// What is given.
    package let input: Input
    /// What must come of it.
    package let output: Output

    /// A row of a table.
    package init(_ sentence: String, _ input: Input, _ output: Output) {
        description = sentence
        self.input = input
        self.output = output
    }
}
