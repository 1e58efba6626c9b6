import Platform

/// The desktop's keyring, used through `secret-tool`, a short-lived child process.
///
/// Linking libsecret would load GLib, D-Bus and their threads at every start, for a lookup that most starts do
/// not need. The secret goes through memory only, never through the command line.
package struct Keyring: Sendable {
    private let tool: FilePath
    private let environment: [String: String]
    /// How long a locked keyring may ask the user for a password; without an answer it counts as empty.
    private let patience: Duration

    /// The keyring of this session; `nil` where there is no session bus or no `secret-tool`.
    package init?(environment: [String: String], patience: Duration = .seconds(5)) {
        guard Self.hasBus(environment), let tool = Self.tool(environment["PATH"] ?? "/usr/bin:/bin") else { return nil }
        self.tool = tool
        self.environment = environment.filter { Self.passed.contains($0.key) }
        self.patience = patience
    }

    /// The variables needed to find the bus and to ask the user for a password.
    private static let passed: Set<String> = [
        "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
        "LANG",
    ]

    private static func hasBus(_ environment: [String: String]) -> Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
        guard let run = environment["XDG_RUNTIME_DIR"], run.hasPrefix("/") else { return false }
        return isThere(FilePath(run).appending("bus"))
    }

    private static func tool(_ path: String) -> FilePath? {
        path.split(separator: ":").map { FilePath(String($0)).appending("secret-tool") }.first(where: isThere)
    }

    private static func isThere(_ path: FilePath) -> Bool { (try? FileFacts.existing(path)) != nil }
}

extension Keyring {
    /// The key of a profile's destination; `nil` where there is none, or the keyring stays locked.
    package func key(of profile: String) async -> String? {
        guard let output = try? OpenFile.inMemory(), await run(["lookup"] + Self.names(profile), output: output),
            let bytes = try? output.readAll(limit: 64 << 10), !bytes.isEmpty
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether it holds a key of the profile that cannot be read until the user unlocks it; does not ask the user.
    package func isLocked(for profile: String) async -> Bool {
        guard let output = try? OpenFile.inMemory(),
            await run(["search", "--all"] + Self.names(profile), output: output),
            let bytes = try? output.readAll(limit: 64 << 10)
        else { return false }
        return Self.isLocked(String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the output of `secret-tool search`: items that are listed without any secret are locked.
    static func isLocked(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.contains { $0.hasPrefix("[") } && !lines.contains { $0.hasPrefix("secret = ") && $0.count > 9 }
    }

    /// Stores the key of a profile's destination; returns whether the keyring accepted it.
    package func keep(_ key: String, of profile: String) async -> Bool {
        guard let input = try? OpenFile.inMemory(holding: Array(key.utf8)) else { return false }
        return await run(["store", "--label=gallery-sync: key of \(profile)"] + Self.names(profile), input: input)
    }

    private static func names(_ profile: String) -> [String] { ["application", "gallery-sync", "profile", profile] }

    /// Whether the tool succeeded in time; its messages are discarded.
    private func run(_ words: [String], input: OpenFile? = nil, output: OpenFile? = nil) async -> Bool {
        guard let silence = try? OpenFile.inMemory() else { return false }
        var descriptors: [Int32: Int32] = [1: (output ?? silence).descriptor, 2: silence.descriptor]
        descriptors[0] = input?.descriptor
        // The files must stay open until the child has inherited them.
        let child = withExtendedLifetime((silence, input, output)) {
            try? ChildProcess.spawn(tool, arguments: words, environment: environment, descriptors: descriptors)
        }
        guard let child else { return false }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await Task.sleep(for: patience)
                child.kill()
            }
            let end = await child.exit
            group.cancelAll()
            return end == .exited(0)
        }
    }
}
