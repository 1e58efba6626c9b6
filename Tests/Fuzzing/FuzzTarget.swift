/// One kind of bytes that come from outside, and what must hold when they are read.
struct FuzzTarget: Sendable {
    let name: String
    /// Valid bytes of this kind, which the fuzzer varies.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Reads bytes; returns the promise that they broke, `nil` for none.
    let read: @Sendable ([UInt8]) -> String?

    init(
        _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
        read: @escaping @Sendable ([UInt8]) -> String?
    ) {
        (self.name, self.seeds, self.read) = (name, seeds, read)
    }

    /// A kind that is text.
    init(_ name: String, texts: [String], read: @escaping @Sendable (String) -> String?) {
        self.init(name, seeds: { texts.map { Array($0.utf8) } }, read: { read(String(decoding: $0, as: UTF8.self)) })
    }

    static let all =
        keys + texts + queue + worker + storage + providers + settings + serving + pictures
}

extension FuzzTarget {
    /// `sentence` if the promise is broken, else `nil`.
    static func unless(_ holds: Bool, _ sentence: @autoclosure () -> String) -> String? {
        holds ? nil : sentence()
    }
}

extension String {
    /// The text before the first line break, and all after it.
    var cutAtLine: (first: Substring, rest: Substring) {
        guard let end = utf8.firstIndex(of: 0x0A) else { return (self[...], "") }
        return (self[..<end], self[utf8.index(after: end)...])
    }
}
