package import Platform
import Records

extension Finding {
    /// The finding if the storage on this computer cannot be served from `folder` because of `error`.
    ///
    /// A read-only folder needs a person; for any other failure the disk's own error says enough.
    package static func closed(_ folder: FilePath, _ error: SystemError) -> Finding {
        guard error.isDenied || error.isReadOnly else {
            return .wrong("destination", "The storage \(folder.display) cannot be opened: \(error). Look at its disk.")
        }
        let sentence =
            "\(folder.display) cannot be written: \(error.reason). Mount its disk for writing, or let this user write "
            + "there; what is stored there can be looked at and restored all the same."
        return .wrong("destination", sentence, ending: .needsHuman(sentence))
    }
}
