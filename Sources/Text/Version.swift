/// The program's version, defined in this one place.
///
/// The package, the manual pages and every answer take it from here; `config/CHANGELOG.md` begins with it.
package enum Version {
    /// The version number, by the rules of <https://semver.org>.
    package static let text = "0.1.0"
    /// The day of the release, which manual pages and the package are dated with.
    package static let day = "2026-11-22"
}
