package import CommandLine
package import Configuration
import Gallery
import Output
package import Platform
import Records

extension Run {
    /// Writes the profile, and the key into the keyring or a file beside it, readable by this user alone.
    package func keep(_ answers: inout ProfileAnswers, _ edit: ProfileEdit) async throws {
        let path = edit.locations.configuration
        if let key = answers.key, !(await isKept(key, of: edit.profile)) {
            let keyFile = path.parent.appending("\(edit.profile).key")
            try Self.write(key + "\n", to: keyFile, keepingPrevious: false)
            answers.draft.destination.keyFile = keyFile
        }
        try Self.write(try edit.text(answers.draft), to: path, keepingPrevious: edit.file != nil)
    }

    /// The key that exists already, or the one in the named `file`; on a terminal it reports a broken one.
    package func presentKey(
        _ edit: ProfileEdit, _ destination: Settings.Destination, file: FilePath? = nil
    ) async throws -> AccountKey? {
        guard !destination.local else { return nil }
        var draft = ProfileDraft(destination: destination)
        draft.destination.keyFile = file ?? draft.destination.keyFile
        do {
            return try await edit.setup(draft, invocation, in: surroundings).key(in: surroundings)
        } catch {
            guard surroundings.isInteractive, file == nil else { throw error }
            console.note("\(error)")
            return nil
        }
    }

    /// A command line for this profile, such as `gallery-sync sync --profile nas`.
    package func command(_ command: String, profile: String) -> String {
        var line = "gallery-sync \(command)"
        if profile != SettingSources.standardProfile { line += " --profile \(profile)" }
        if let named = invocation.configuration { line += " --config \(named)" }
        if let named = invocation.stateDirectory { line += " --state-dir \(named)" }
        return line
    }

    /// Whether the desktop's keyring stored the key; if not, the caller writes it to a file.
    private func isKept(_ key: String, of profile: String) async -> Bool {
        guard let keyring = Keyring(environment: surroundings.environment), await keyring.keep(key, of: profile) else {
            return false
        }
        remark("The key is in the keyring.")
        return true
    }

    /// Writes a file that only its owner can read; a symlink keeps pointing to it.
    private static func write(_ text: String, to path: FilePath, keepingPrevious: Bool) throws {
        do throws(SystemError) {
            try Directory.create(at: path.parent)
            let target = try path.behindLink
            let name = FilePath(bytes: target.name).display
            try LocalDisk(directory: target.parent).replace(
                name, with: Array(text.utf8), keepingPrevious: keepingPrevious ? name + ".1" : nil)
        } catch {
            throw Refusal(keepingNothingAt: path, error, elsewhere: "with --config or XDG_CONFIG_HOME") ?? error
        }
    }
}

extension ProfileEdit {
    /// Where the previous version of the file is kept; `nil` if there was none.
    package var former: String? {
        get throws { file == nil ? nil : "\(try locations.configuration.behindLink).1" }
    }
}

extension FilePath {
    /// The target if this is a symlink, else this path.
    fileprivate var behindLink: FilePath {
        get throws(SystemError) {
            guard try FileFacts.existing(self) != nil else { return self }
            return try FileFacts(of: self, followingLinks: false).kind == .symlink ? resolved() : self
        }
    }
}
