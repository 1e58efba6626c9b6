package import Database

// Facts are small texts that outlive a run, each under a name of its own.
extension Connection {
    /// What is remembered under `name`; `nil` where nothing is.
    package func fact(_ name: String) throws -> String? {
        try first("SELECT value FROM facts WHERE name = ?", .text(name)) { $0.textOrNil(0) } ?? nil
    }

    /// Remembers `value` under `name` in the open transaction, in place of what was remembered before.
    package func keep(_ value: String, as name: String) throws {
        try run("INSERT OR REPLACE INTO facts VALUES (?, ?)", binding: [.text(name), .text(value)])
    }
}
