import Queue

// Tables spell codes as the files do.
extension FailureCode: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
