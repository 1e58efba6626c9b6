package import Catalog
package import Platform

extension Finding {
    /// Whether something watches the gallery: this profile's agent, or the systemd user unit.
    ///
    /// `nil` where no agent runs and this computer has no systemd to ask.
    package static func service(
        _ holder: StateLock.Holder?, systemd: FilePath = "/run/systemd/system", tool: FilePath = "/usr/bin/systemctl"
    ) async -> Finding? {
        if let holder { return .fine("agent", "process \(holder.processID) works on this profile now") }
        let places = [systemd, tool]
        // What cannot be looked at is not there for us.
        guard places.allSatisfy({ (try? FileFacts.existing($0)) != nil }) else { return nil }
        guard let isActive = await isActive(tool) else { return nil }
        if isActive { return .fine("service", "\(unit) runs") }
        return .doubtful(
            "service",
            "\(unit) does not run, so that files are stored by \"sync\" only. Run \"systemctl --user enable --now \(unit)\"."
        )
    }

    private static let unit = "gallery-sync.service"

    private static func isActive(_ tool: FilePath) async -> Bool? {
        guard let silence = try? OpenFile(appending: "/dev/null"),
            let child = try? ChildProcess.spawn(
                tool, arguments: ["--user", "--quiet", "is-active", unit],
                descriptors: [1: silence.descriptor, 2: silence.descriptor])
        else { return nil }
        let end = await child.exit
        withExtendedLifetime(silence) {}
        switch end {
        case .exited(0): return true
        // 3 and 4: not active, or no such unit; anything else means that there is no bus to ask.
        case .exited(3), .exited(4): return false
        default: return nil
        }
    }
}
