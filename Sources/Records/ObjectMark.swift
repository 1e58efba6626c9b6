/// What is known of an object with a receipt that the receipt does not say.
///
/// The numbers are stored: never reuse one.
package enum ObjectMark: Int64, Sendable {
    /// Its file is stored under another key now.
    case outdated = 1
    /// Its file was already gone when another file got the same name.
    case lastCopy = 2
}
