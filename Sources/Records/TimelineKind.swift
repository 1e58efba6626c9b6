/// What an asset is to a viewer; the numbers are stored in the column `kind`.
package enum TimelineKind: Int64, NamedByWord, Sendable {
    case other = 0
    case photo = 1
    /// A camera's original.
    case raw = 2
    case video = 3
    case animation = 4
}
