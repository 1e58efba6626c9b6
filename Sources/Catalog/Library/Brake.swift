/// Whether so many stored files changed at once that somebody else than their owner may be at work.
///
/// More than 50 and more than 10 % of the stored assets within one hour (design.md, "When files change, move, go").
enum Brake {
    /// Changed assets that are never too many.
    static let count = 50
    /// Percent of the stored assets that are never too many.
    static let percent = 10
    /// Seconds in which changes add up.
    static let span = 3_600.0

    /// Whether `changed` of `stored` assets are too many.
    static func holds(changed: Int, of stored: Int) -> Bool {
        changed > count && changed * 100 > stored * percent
    }
}

/// What the brake says about an asset whose content changed.
enum BrakeVerdict: Hashable, Sendable {
    /// It may be sent.
    case free
    /// Too many more may have changed: those have to be read first.
    case wait
    /// None is to be sent.
    case hold

    /// Decides once `changed` contents are known to differ and `unread` files look as if theirs did, too.
    ///
    /// - Parameter isOn: Whether the brake holds already: then it goes on until somebody lets go.
    init(changed: Int, unread: Int, stored: Int, isOn: Bool = false) {
        if isOn || Brake.holds(changed: changed, of: stored) {
            self = .hold
        } else {
            self = unread > 0 && Brake.holds(changed: changed + unread, of: stored) ? .wait : .free
        }
    }
}
