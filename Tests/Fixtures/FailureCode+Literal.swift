package import Queue

// Tables spell codes as the files do.
extension FailureCode: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}
