import Platform

/// `login`: what is not given is asked for.
struct LoginRequest: Hashable, Sendable {
    var email: String?
    /// `-` means standard input.
    var passwordFile: FilePath?
    /// Whether an e-mail with a code or link takes the password's place.
    var sendsCode = false
}
