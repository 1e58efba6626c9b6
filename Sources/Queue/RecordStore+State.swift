package import Platform

extension RecordStore {
    /// The store in a state directory, with `quarantine/` in it.
    package init(state: FilePath) throws {
        let quarantine = state.appending("quarantine")
        try Directory.create(at: quarantine)
        self.init(disk: try LocalDisk(directory: state), quarantine: try LocalDisk(directory: quarantine))
    }
}
