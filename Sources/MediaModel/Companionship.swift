/// How two files in one directory belong together; each is still uploaded as a file of its own.
package enum Companionship: Hashable, Sendable {
    /// The movie of a Live Photo: a photo and a QuickTime movie of the same name, as Apple's phones write them.
    case livePhoto
    /// An editor's metadata for a photo or video: `IMG_1.xmp` or `IMG_1.CR2.xmp` (XMP part 3, 1.2), `IMG_1.AAE`.
    case sidecar

    /// How `other` relates to the asset called `name` in the same directory; `nil` for unrelated files.
    ///
    /// Names are compared byte by byte, their extensions in any case.
    package init?(of other: [UInt8], to name: [UInt8]) {
        let (asset, companion) = (Self.parts(name), Self.parts(other))
        guard let claim = MediaFormat.byExtension[asset.fileExtension]?.format, claim.kind != .sidecar else {
            return nil
        }
        if Self.isSidecar(other), companion.stem == asset.stem || companion.stem == name[...] {
            self = .sidecar
        } else if claim.kind == .photo, companion.stem == asset.stem, companion.fileExtension == "mov" {
            self = .livePhoto
        } else {
            return nil
        }
    }

    /// Whether a file of this name is an editor's metadata for another one.
    package static func isSidecar(_ name: [UInt8]) -> Bool {
        MediaFormat.byExtension[parts(name).fileExtension]?.format.kind == .sidecar
    }

    /// The name up to its last dot, and the extension in lowercase.
    private static func parts(_ name: [UInt8]) -> (stem: ArraySlice<UInt8>, fileExtension: String) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name[...], "") }
        return (name[..<dot], String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }
}
