import Configuration
import Control
import Output
import Platform
import Records
import Text
import Transfer

extension Run {
    /// Warns about settings of this call that a running agent ignores, because it keeps those of its start.
    ///
    /// Throws `Refusal` if the call names another destination than the agent has.
    func compareSettings(
        besides obeyed: Set<String>, _ setup: Setup, _ holder: StateLock.Holder, over transport: any Transport
    ) async throws {
        let asked = setup.loaded.ofOptions.subtracting(obeyed).filter { !$0.hasPrefix("log.") }
        guard !asked.isEmpty else { return }
        let rows = setup.loaded.rows.filter { asked.contains($0.key) }
        let values = Dictionary(rows.map { ($0.key, $0.value.line) }) { $1 }
        let others = await ask(SettingsQuestion(values), holder, over: transport)
        guard !others.isEmpty else { return }
        let list = others.joined(separator: ", ")
        if !Setting.destinationKeys.isDisjoint(with: others) {
            throw Refusal(
                .usage(
                    "The running agent, process \(holder.processID), has another destination than this call names "
                        + "(\(list)): leave that out, or end the agent first"))
        }
        console.note(
            "gallery-sync: the running agent keeps the settings of its start: \(list) of this call "
                + "\(others.count == 1 ? "is" : "are") not looked at")
    }

    /// The keys of settings that the holder of the lock does not have so; empty if it does not say.
    private func ask(
        _ question: SettingsQuestion, _ holder: StateLock.Holder, over transport: any Transport
    ) async -> [String] {
        let control = ControlClient(socket: holder.controlSocket, transport: transport)
        do {
            return try await control.ask(question, patience: .zero, within: .seconds(5)).answer ?? []
        } catch {
            // An agent that is busy, or of another version: the request that follows will report it.
            return []
        }
    }
}
