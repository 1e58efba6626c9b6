/// Bytes that an attacker cannot guess.
package enum Randomness {
    /// `count` bytes from the kernel's generator, fit for keys and tokens.
    package static func bytes(_ count: Int) -> [UInt8] {
        // On Linux this generator is getrandom(2); it cannot fail.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in generator.next() }
    }
}
