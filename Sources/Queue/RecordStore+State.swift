package import Platform

extension RecordStore {
    /// The store in a state directory, with `quarantine/` in it; `open` opens each of the two.
    package init(
        state: FilePath,
        disk open: (FilePath) throws(SystemError) -> any Disk = { path throws(SystemError) in
            try LocalDisk(directory: path)
        }
    ) throws {
        let quarantine = state.appending("quarantine")
        try Directory.create(at: quarantine)
        self.init(disk: try open(state), quarantine: try open(quarantine))
    }
}
