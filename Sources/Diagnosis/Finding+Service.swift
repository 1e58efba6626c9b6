package import Desktop
import Platform
package import Records

extension Finding {
    /// Whether something watches the gallery: this profile's agent, or its systemd user unit.
    ///
    /// `nil` if no agent runs and this computer has no systemd to ask.
    ///
    /// - Parameter unit: The name of the profile's unit.
    package static func service(_ holder: StateLock.Holder?, unit: String, _ systemctl: SystemTool?) async -> Finding? {
        if let holder { return .fine("agent", "process \(holder.processID) works on this profile now") }
        guard let end = try? await systemctl?.ask(["--user", "--quiet", "is-active", unit]).exit else { return nil }
        switch end {
        case .exited(0): return .fine("service", "\(unit) runs")
        // The codes 3 and 4 mean not active, or no such unit; any other code means that there is no bus to ask.
        case .exited(3), .exited(4):
            return .doubtful(
                "service",
                "\(unit) does not run, so that files are stored by \"sync\" only. "
                    + "Run \"gallery-sync service install\".")
        default: return nil
        }
    }
}
