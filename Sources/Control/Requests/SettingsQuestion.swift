import Configuration
package import Gallery

/// Which settings of a call differ from those that the agent was started with.
package struct SettingsQuestion: AgentRequest {
    /// The values by their dotted keys, as the configuration file would write them, each on one line.
    let values: [String: String]
    /// Whether the values are those of the configuration file, which an agent's options and variables may override.
    let areOfFile: Bool?

    /// A question about the settings that a call gives, or that the configuration file has now.
    package init(_ values: [String: String], areOfFile: Bool? = nil) {
        self.values = values
        self.areOfFile = areOfFile
    }

    /// Returns the keys of the settings that differ, sorted; nothing is changed.
    package func perform(by agent: Agent) async throws -> AgentReply<[String]> {
        let settings = agent.setup.settings
        let own = areOfFile == true ? agent.setup.settingsBesidesFile : []
        let others = values.filter { key, line in
            !own.contains(key) && Setting.named(key)?.value(settings).line != line
        }
        return .answered(others.keys.sorted())
    }
}
