package import Configuration
package import Platform
import Queue
import Records
import Roots
import Text

/// Examines this computer: folders, limits, free space, media workers.
package struct ComputerExamination: Sendable {
    let settings: Settings
    let locations: Locations
    /// The media workers' executable.
    let program: FilePath

    /// An examination of the places that `locations` name, and of the media worker `program`.
    package init(settings: Settings, locations: Locations, program: FilePath) {
        self.settings = settings
        self.locations = locations
        self.program = program
    }

    /// Examines everything; the media worker only with thumbnails on.
    ///
    /// Writes and removes small files in the state directory and the cache.
    package func findings() async -> [Finding] {
        let (settings, locations) = (settings, locations)
        let places = await Blocking.run {
            Finding.roots(settings.roots) + [Self.state(locations.state)] + Self.watches(settings)
        }
        guard settings.thumbnails.enabled else { return places }
        let walls = await Finding.walls(of: program)
        guard walls.result != .wrong else { return places + [walls] }
        return places + [walls] + (await formats())
    }
}

extension Finding {
    /// One finding for each root: whether it can be read.
    package static func roots(_ roots: [Settings.Root]) -> [Finding] {
        if roots.isEmpty { return [.doubtful("roots", "none; name directories on the command line.")] }
        return roots.indices.map { index in
            let root = roots[index]
            do throws(SystemError) {
                _ = try Directory(root.path).names()
                if let shared = SharedDirectory(root.path, among: roots[..<index].map(\.path)) {
                    return .wrong("root", "\(shared).", ending: .needsHuman(shared.description))
                }
                return .fine("root", root.path.display)
            } catch {
                return .wrong("root", "\(root.path): \(error.reason).")
            }
        }
    }
}

// MARK: - The state

extension ComputerExamination {
    /// Whether state can be kept at `path`, or in the nearest existing directory above it.
    static func state(_ path: FilePath) -> Finding {
        do {
            let place = try Directory(try nearest(path))
            let kind = try place.fileSystem()
            guard !kind.isNetwork else {
                let reason = StateLock.networkRefusal(path, kind)
                return .wrong("state", reason, ending: .needsHuman(reason))
            }
            try tryWriting(in: place)
            return room(try place.availableBytes(), path, kind)
        } catch {
            guard !error.isDiskFull else {
                let reason = "The disk that holds \(path.display) is full: make room there."
                return .wrong("state", reason, ending: .disk(reason))
            }
            let reason = "\(path.display) cannot be written: \(error.reason). Name another place with --state-dir."
            let refusal = Refusal(keepingNothingAt: path, error, elsewhere: "with --state-dir")
            return .wrong("state", reason, ending: refusal?.ending ?? .disk(reason))
        }
    }

    /// Whether `free` bytes are enough for the state at `path`.
    static func room(_ free: Int64, _ path: FilePath, _ kind: FileSystemKind) -> Finding {
        let text = "\(path.display) on \(kind.name), \(Quantity.text(bytes: free)) free"
        if free < 100_000_000 { return .wrong("state", "\(text). Make room: queue and library must be written.") }
        if free < 1_000_000_000 { return .doubtful("state", "\(text), which is little.") }
        return .fine("state", text)
    }

    /// The directory itself, or the nearest existing one above it.
    private static func nearest(_ path: FilePath) throws(SystemError) -> FilePath {
        var place = path
        while try FileFacts.existing(place) == nil, place.parent != place, !place.parent.isEmpty {
            place = place.parent
        }
        return place
    }

    private static func tryWriting(in place: Directory) throws(SystemError) {
        let name = FilePath(".gallery-sync-doctor-" + Randomness.bytes(8).hexadecimal)
        let file = try place.open(writing: name)
        let written = Result { () throws(SystemError) in
            try file.append([0])
            try file.synchronize()
        }
        try place.remove(file: name)
        try written.get()
    }
}

// MARK: - Watch limits

extension ComputerExamination {
    private static func watches(_ settings: Settings) -> [Finding] {
        guard !settings.roots.isEmpty, let limit = watchLimit else { return [] }
        var count = 0
        for root in settings.roots {
            let rules = IgnoreRules(settings.scan, own: root.ignore)
            // Unreadable roots have a finding already, and network disks are scanned, not watched.
            guard let directory = try? Directory(root.path), (try? directory.fileSystem())?.isNetwork == false
            else { continue }
            TreeWalk.walk(directory, enter: { rules.reasonForDirectory(at: $0) == nil }) { _ in count += 1 }
        }
        do throws(SystemError) {
            if count > 0 { try TreeWatch.checkLimit() }
            return [watches(directories: count, limit: limit)]
        } catch {
            return [watches(lacking: error)]
        }
    }

    /// What keeps this user from watching anything.
    static func watches(lacking error: SystemError) -> Finding {
        let advice = error.watchLimit.map { " Run \"sudo sysctl \($0)=1024\"." } ?? ""
        return .wrong(
            "watching", "No directory can be watched (\(error.reason)): all are only scanned at intervals.\(advice)")
    }

    /// Whether the kernel lets this user watch that many directories.
    static func watches(directories count: Int, limit: Int) -> Finding {
        let noun = count == 1 ? "directory" : "directories"
        let text = "\(Quantity.text(count: count)) \(noun), the kernel watches up to \(Quantity.text(count: limit))"
        guard count > limit else { return .fine("watching", text) }
        let wanted = max(524_288, count * 2)
        return .wrong(
            "watching",
            "\(text): the others are only scanned at intervals. Run \"sudo sysctl fs.inotify.max_user_watches=\(wanted)\"."
        )
    }

    private static var watchLimit: Int? {
        let file = try? OpenFile(reading: "/proc/sys/fs/inotify/max_user_watches")
        let text = (try? file?.readAll(limit: 64)).flatMap { $0 }
        return text.flatMap { Int(String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self)) }
    }
}
