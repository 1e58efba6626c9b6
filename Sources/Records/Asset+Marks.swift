package import Queue

// Marks that an asset has in addition to its state.
extension Asset {
    /// What became of an asset's thumbnails; the numbers are stored in the column `thumbnails`.
    package enum Pictures: Int64, Sendable {
        case unwanted = 0
        case wanted = 1
        case made = 2
        case failed = 3
        /// A picture was lost while another one of the asset was being made.
        case lost = 4
    }

    /// What the brake has noted of an asset, in the column `brake`; NULL where it is undecided.
    package enum BrakeMark: String, Sendable {
        /// Changed on the disk after it was stored, and not read again since.
        case suspect
        /// The user approved the change.
        case approved
        /// Held, and the brake has decided so.
        case held
    }
}
