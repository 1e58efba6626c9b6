/// Whether so many stored files changed at once that their owner may not be the one who changes them.
///
/// More than 50 and more than 10 % of the stored assets within one hour (design.md, "When files change, move, go").
package enum Brake {
    /// The largest number of changed assets that is never too many.
    package static let count = 50
    /// The largest percentage of the stored assets that is never too many.
    package static let percent = 10
    /// Seconds within which changes are added up.
    package static let span = 3_600.0

    /// Whether `changed` of `stored` assets are too many.
    package static func holds(changed: Int, of stored: Int) -> Bool {
        changed > count && changed * 100 > stored * percent
    }
}

/// What the brake says about an asset whose content changed.
package enum BrakeVerdict: Hashable, Sendable {
    /// It may be sent.
    case free
    /// Too many unread files may have changed as well: they have to be read first.
    case wait
    /// No changed asset is to be sent.
    case hold

    /// Decides by `changed` contents known to differ and `unread` files whose size or time differs.
    ///
    /// - Parameter isOn: Whether the brake holds already: then it holds until the user approves the changes.
    package init(changed: Int, unread: Int, stored: Int, isOn: Bool = false) {
        if isOn || Brake.holds(changed: changed, of: stored) {
            self = .hold
        } else {
            self = unread > 0 && Brake.holds(changed: changed + unread, of: stored) ? .wait : .free
        }
    }
}
