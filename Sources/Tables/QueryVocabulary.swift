package import Queue
package import Records

// Queries name states instead of their stored numbers, which only the enumerations contain.
extension DefaultStringInterpolation {
    /// The number of a state of assets.
    package mutating func appendInterpolation(asset state: Asset.State) { appendInterpolation(state.rawValue) }

    /// The numbers of states of assets, as a list.
    package mutating func appendInterpolation(assets states: [Asset.State]) { append(list: states.map(\.rawValue)) }

    /// The number of a state of attempts.
    package mutating func appendInterpolation(attempt state: Attempt.State) { appendInterpolation(state.rawValue) }

    /// The numbers of states of attempts, as a list.
    package mutating func appendInterpolation(attempts states: [Attempt.State]) { append(list: states.map(\.rawValue)) }

    /// The number of a mark of objects.
    package mutating func appendInterpolation(mark: ObjectMark) { appendInterpolation(mark.rawValue) }

    /// The number of what became of thumbnails.
    package mutating func appendInterpolation(picture state: Asset.Pictures) { appendInterpolation(state.rawValue) }

    /// The numbers of what may have become of thumbnails, as a list.
    package mutating func appendInterpolation(pictures states: [Asset.Pictures]) {
        append(list: states.map(\.rawValue))
    }

    /// The word of a mark of the brake, quoted.
    package mutating func appendInterpolation(brake mark: Asset.BrakeMark) { appendLiteral("'\(mark.rawValue)'") }

    /// As `IN` wants it: `(0, 1)`.
    private mutating func append(list numbers: [Int64]) {
        appendLiteral("(" + numbers.map(String.init).joined(separator: ", ") + ")")
    }
}

extension [Asset.State] {
    /// The file is not there.
    package static var absent: Self { [.gone, .remoteOnly] }
    /// Its content is not known yet.
    package static var unread: Self { [.seen, .identifying] }
    /// On its way to storage, and not held back.
    package static var underWay: Self { [.seen, .identifying, .queued] }
    /// On its way to storage, or held back.
    package static var waiting: Self { [.seen, .identifying, .queued, .held] }
    /// Stopped, with a code that says by what.
    package static var failures: Self { [.failed, .unreadable] }
    /// What is to be stored: the report's total.
    package static var toStore: Self { [.seen, .identifying, .queued, .stored, .failed, .unreadable, .held] }
}

extension [Asset.Pictures] {
    /// Still to be made.
    package static var owed: Self { [.wanted, .lost] }
}
