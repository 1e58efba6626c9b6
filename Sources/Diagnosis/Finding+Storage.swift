package import Platform
import Records

extension Finding {
    /// The storage on this computer that cannot be served from `folder` because of `error`.
    ///
    /// Where it may only be read, that is for a person to change; any other failure of a disk stands for itself.
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
