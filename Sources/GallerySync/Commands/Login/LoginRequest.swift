import Platform

/// The options of `login`; what is missing is asked for.
struct LoginRequest: Hashable, Sendable {
    var email: String?
    /// `-` means standard input.
    var passwordFile: FilePath?
    /// Whether to sign in with a code or link by e-mail instead of a password.
    var sendsCode = false
}
