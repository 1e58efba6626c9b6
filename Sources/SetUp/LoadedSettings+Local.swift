package import Configuration

extension LoadedSettings {
    /// The destination on this computer, without the bucket, prefix and budget that are meant for a project.
    package var localDestination: Settings.Destination {
        var destination = settings.destination
        (destination.url, destination.local) = (nil, true)
        guard isOfFile("destination.url") else { return destination }
        let usual = Settings().destination
        if isOfFile("destination.bucket") { destination.bucket = usual.bucket }
        if isOfFile("destination.prefix") { destination.prefix = usual.prefix }
        if isOfFile("destination.storageBudget") { destination.storageBudget = usual.storageBudget }
        return destination
    }

    private func isOfFile(_ key: String) -> Bool {
        if case .file = origin(of: key) { true } else { false }
    }
}
