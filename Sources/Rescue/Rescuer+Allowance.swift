extension Rescuer {
    /// Limits downloads to files with a deadline, and to this many bytes of them; `nil` lifts the limit.
    package func setAllowance(_ bytes: Int64?) {
        allowance = bytes
        notify()
    }

    /// The acts that may begin while bytes cost money.
    func permitted(_ acts: [RescueAct]) async -> [RescueAct] {
        guard let allowance else { return acts }
        var permitted: [RescueAct] = []
        for act in acts {
            guard case .fetch(let place) = act, let (_, file) = await look(place),
                !file.hasAllBytes, file.stage != .probed
            else {
                permitted.append(act)
                continue
            }
            if allowance > 0, file.deadline != nil { permitted.append(act) }
        }
        return permitted
    }
}
