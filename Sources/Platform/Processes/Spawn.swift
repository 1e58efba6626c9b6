import CLinux
import Glibc

/// One call of posix_spawn: everything that the child process inherits.
struct Spawn: ~Copyable {
    private let executable: FilePath
    private let arguments: [String]
    private let environment: [String: String]
    /// The child's number → a descriptor of ours that is none of the child's numbers.
    private let descriptors: [Int32: OpenFile]

    init(
        _ executable: FilePath, _ arguments: [String], _ environment: [String: String],
        _ descriptors: [Int32: Int32]
    ) throws(SystemError) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        // Copies numbered above all of the child's numbers, so that no descriptor is overwritten before it is copied.
        let floor = max(2, descriptors.keys.max() ?? 0) + 1
        var copies: [Int32: OpenFile] = [:]
        for (target, source) in descriptors {
            copies[target] = OpenFile(
                descriptor: try SystemError.check("fcntl") { fcntl(source, F_DUPFD_CLOEXEC, floor) })
        }
        if copies[0] == nil { copies[0] = try OpenFile(reading: "/dev/null") }
        self.descriptors = copies
    }

    /// Starts the process and returns its id.
    func run() throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        addDescriptors(to: &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignalsAndGroup(of: &attributes)
        var id: pid_t = 0
        var strings = CStrings([executable.display] + arguments)
        var variables = CStrings(environment.map { "\($0.key)=\($0.value)" }.sorted())
        let code = executable.withCString { path in
            posix_spawn(&id, path, &actions, &attributes, &strings.pointers, &variables.pointers)
        }
        try SystemError.checkNumber(code, "posix_spawn", executable)
        return id
    }

    private func addDescriptors(to actions: inout posix_spawn_file_actions_t) {
        let last = max(2, descriptors.keys.max() ?? 0)
        for number in 0...last {
            if let source = descriptors[number] {
                posix_spawn_file_actions_adddup2(&actions, source.descriptor, number)
            } else if number > 2 {
                posix_spawn_file_actions_addclose(&actions, number)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, last + 1)
    }

    private func setSignalsAndGroup(of attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }
}

/// Strings as `argv` and `envp` expect them, freed with this value.
private struct CStrings: ~Copyable {
    var pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
