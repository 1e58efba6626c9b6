import Configuration
package import Gallery

/// Which settings of a call differ from those that the agent was started with.
package struct SettingsQuestion: AgentRequest {
    /// The values by their dotted keys, as the configuration file would write them, each on one line.
    let values: [String: String]

    /// A question about the settings that a call gives.
    package init(_ values: [String: String]) { self.values = values }

    /// Returns the keys of the settings that differ, sorted; nothing is changed.
    package func perform(by agent: Agent) async throws -> AgentReply<[String]> {
        let settings = agent.setup.settings
        let others = values.filter { key, line in Setting.named(key)?.value(settings).line != line }
        return .answered(others.keys.sorted())
    }
}
