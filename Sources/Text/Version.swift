/// Which version this is: the one place that says so.
///
/// The package, the manual pages and every answer take it from here; `config/CHANGELOG.md` begins with it.
package enum Version {
    /// As <https://semver.org> counts.
    package static let text = "0.1.0"
    /// The day it was made, as manual pages and the package are dated.
    package static let day = "2026-11-22"
}
