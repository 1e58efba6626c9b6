package import MediaModel

/// A file of the same directory that belongs to an asset, or that an asset belongs to.
package struct Companion: Hashable, Sendable {
    /// The file's name in the directory that both share.
    package let name: [UInt8]
    /// How the two files belong together.
    package let companionship: Companionship
    /// Whether this file belongs to the asset asked about, and not the other way round.
    package let isOurs: Bool

    /// A file called `name` that belongs to another one, or that another one belongs to.
    package init(name: [UInt8], companionship: Companionship, isOurs: Bool) {
        (self.name, self.companionship, self.isOurs) = (name, companionship, isOurs)
    }
}
