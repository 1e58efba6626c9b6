package import Desktop

extension Finding {
    /// The services of the desktop that a watch can use; a watch does without the others.
    package static func host(_ link: any HostLink) async -> Finding {
        link.delaySleep()
        link.begin()
        defer { link.end() }
        let state = await withTaskGroup(of: HostState?.self) { group in
            group.addTask {
                for await change in link.changes {
                    if case .state(let state) = change { return state }
                }
                return nil
            }
            group.addTask {
                // A service that hangs must not delay the doctor for longer.
                try? await Task.sleep(for: .seconds(2))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return host(answering: state?.answering ?? [])
    }

    /// The finding for the services that answer.
    static func host(answering: Set<HostSource>) -> Finding {
        let present = HostSource.allCases.filter { answering.contains($0) }.map(\.name)
        let absent = HostSource.allCases.filter { !answering.contains($0) }.map { "\($0.name) (\($0.worth))" }
        let without = absent.isEmpty ? nil : "does without \(absent.joined(separator: ", "))"
        let heeds = present.isEmpty ? nil : "heeds \(present.joined(separator: ", "))"
        return .fine("desktop", "watch " + [heeds, without].compactMap(\.self).joined(separator: " and "))
    }
}

extension HostSource {
    /// What a watch uses it for.
    fileprivate var worth: String {
        switch self {
        case .networkManager: "metered networks"
        case .upower: "battery"
        case .powerProfiles: "power saver"
        case .logind: "sleep"
        case .notifications: "messages on the screen"
        case .tray: "its icon"
        }
    }
}
