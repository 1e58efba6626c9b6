/// One line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
struct Mount: Hashable, Sendable {
    let id: UInt64
    /// `major:minor`, as the kernel writes it.
    let device: String
    /// The directory of the file system that is mounted; escaped as in `mountinfo`.
    let root: String
    /// Such as `ext4` or `fuse.sshfs`.
    let type: String
    /// A device, or the server of a network file system.
    let source: String

    /// All mounts that `text` lists.
    static func all(in text: String) -> [Mount] { text.split(separator: "\n").compactMap { Mount(line: $0) } }

    private init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count > 5, let id = UInt64(words[0]), let dash = words.firstIndex(of: "-"),
            words.count > dash + 2
        else { return nil }
        self.id = id
        device = String(words[2])
        root = String(words[3])
        type = String(words[dash + 1])
        source = String(words[dash + 2])
    }
}
