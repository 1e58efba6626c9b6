import Platform
import Providers
import Text

extension Settings {
    /// Adjusts defaults that were not set to the related values that were.
    mutating func fitDefaults(origins: [String: SettingOrigin]) {
        if origins["upload.minConcurrency"] == nil {
            upload.minConcurrency = min(upload.minConcurrency, upload.maxConcurrency)
        }
        if origins["upload.maxConcurrency"] == nil {
            upload.maxConcurrency = max(upload.maxConcurrency, upload.minConcurrency)
        }
        if origins["upload.concurrency"] == nil {
            upload.concurrency = min(max(upload.concurrency, upload.minConcurrency), upload.maxConcurrency)
        }
        if origins["retry.cap"] == nil { retry.cap = max(retry.cap, retry.base) }
    }

    /// Lets the stronger of `destination.url` and `destination.local` win: `--local` beats a file's URL.
    mutating func chooseDestination(origins: [String: SettingOrigin]) {
        let url = origins["destination.url"]?.rank ?? 0
        let local = origins["destination.local"]?.rank ?? 0
        guard destination.local, destination.url != nil else { return }
        if local > url { destination.url = nil }
        if url > local { destination.local = false }
    }

    /// Expands `~`, removes slashes at the ends of paths and of the address, and spells each path in one way.
    mutating func expand(home: FilePath) {
        for index in roots.indices { roots[index].path = roots[index].path.settled(home: home) }
        destination.keyFile = destination.keyFile?.settled(home: home)
        while destination.url?.hasSuffix("/") == true { destination.url?.removeLast() }
        rescue.folder = rescue.folder?.settled(home: home)
        report.prometheusFile = report.prometheusFile?.settled(home: home)
        for name in providers.names {
            providers[name].keyFile = providers[name].keyFile?.settled(home: home)
        }
    }
}

extension FilePath {
    /// The path without a `~` and without superfluous slashes.
    fileprivate func settled(home: FilePath) -> FilePath {
        var path = expanded(home: home)
        while path.bytes.count > 1, path.bytes.last == UInt8(ascii: "/") {
            path = FilePath(bytes: path.bytes.dropLast())
        }
        return path.plain
    }
}

extension LoadedSettings {
    /// Throws where values that are valid alone contradict each other.
    func check() throws(SettingsError) {
        let upload = settings.upload
        if upload.minConcurrency > upload.maxConcurrency {
            throw contradiction("upload.minConcurrency", "is above upload.maxConcurrency (\(upload.maxConcurrency)).")
        }
        if !(upload.minConcurrency...upload.maxConcurrency).contains(upload.concurrency) {
            throw contradiction(
                "upload.concurrency",
                "is \(upload.concurrency), not between \(upload.minConcurrency) and \(upload.maxConcurrency).")
        }
        if settings.retry.cap < settings.retry.base {
            throw contradiction("retry.cap", "is below retry.base (\(Quantity.exact(settings.retry.base))).")
        }
        if settings.destination.local, settings.destination.url != nil {
            throw contradiction("destination.local", "and destination.url are both set; choose one.")
        }
        if Set(settings.thumbnails.sizes).count < settings.thumbnails.sizes.count {
            throw contradiction("thumbnails.sizes", "names a size twice.")
        }
        if settings.thumbnails.enabled, settings.thumbnails.sizes.isEmpty {
            throw contradiction("thumbnails.sizes", "is empty; to make none, set thumbnails.enabled to false.")
        }
        let known = settings.providers.names
        for name in settings.rescue.hosts.providers.keys.sorted(by: { $0.rawValue < $1.rawValue })
        where !known.contains(name) {
            throw contradiction("rescue.hosts.\(name.rawValue)", "names no provider that is known here.")
        }
        try checkRoots()
    }

    private func checkRoots() throws(SettingsError) {
        for (index, root) in settings.roots.enumerated() {
            let earlier = settings.roots[..<index]
            if earlier.contains(where: { $0.path == root.path }) {
                throw contradiction("roots[\(index)]", "names \(root.path) a second time.")
            }
            if let outer = settings.roots.first(where: { root.path.relative(to: $0.path) != nil }) {
                throw contradiction("roots[\(index)]", "\(root.path) lies inside the root \(outer.path).")
            }
            if let name = root.name, earlier.contains(where: { $0.name == name }) {
                throw contradiction("roots[\(index)].name", "is \"\(name)\", as another root's.")
            }
        }
    }

    private func contradiction(_ key: String, _ reason: String) -> SettingsError {
        let setting = key.hasPrefix("rescue.hosts") ? "rescue.hosts" : String(key.prefix { $0 != "[" })
        return SettingsError(origin(of: setting), key: key, reason: reason)
    }
}
