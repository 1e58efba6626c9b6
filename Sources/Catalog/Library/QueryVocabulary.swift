import Queue
import Records

// Queries say what stored numbers stand for; the numbers themselves are in the enumerations.
extension DefaultStringInterpolation {
    mutating func appendInterpolation(asset state: Asset.State) { appendInterpolation(state.rawValue) }
    mutating func appendInterpolation(assets states: [Asset.State]) { append(list: states.map(\.rawValue)) }

    mutating func appendInterpolation(attempt state: Attempt.State) { appendInterpolation(state.rawValue) }
    mutating func appendInterpolation(attempts states: [Attempt.State]) { append(list: states.map(\.rawValue)) }

    mutating func appendInterpolation(picture state: Library.Pictures) { appendInterpolation(state.rawValue) }
    mutating func appendInterpolation(pictures states: [Library.Pictures]) { append(list: states.map(\.rawValue)) }

    mutating func appendInterpolation(brake mark: Library.BrakeMark) { appendLiteral("'\(mark.rawValue)'") }

    /// As `IN` wants it: `(0, 1)`.
    private mutating func append(list numbers: [Int64]) {
        appendLiteral("(" + numbers.map(String.init).joined(separator: ", ") + ")")
    }
}

extension [Asset.State] {
    /// The file is not there.
    static var absent: Self { [.gone, .remoteOnly] }
    /// Its content is not known yet.
    static var unread: Self { [.seen, .identifying] }
    /// On its way to storage, and not held back.
    static var underWay: Self { [.seen, .identifying, .queued] }
    /// On its way to storage, or held back.
    static var waiting: Self { [.seen, .identifying, .queued, .held] }
    /// Stopped, with a code that says by what.
    static var failures: Self { [.failed, .unreadable] }
    /// What is to be stored: the report's total.
    static var toStore: Self { [.seen, .identifying, .queued, .stored, .failed, .unreadable, .held] }
}

extension [Library.Pictures] {
    /// Still to be made.
    static var owed: Self { [.wanted, .lost] }
}
