/// The systemd user unit that runs `watch` for one profile.
package struct WatchUnit: Hashable, Sendable {
    /// Its file's name, such as `gallery-sync.service`.
    package let name: String
    /// The command that it starts, as `ExecStart` spells it.
    private let command: String

    /// The default profile's unit, which `config/install.sh` and the package install.
    package static let packaged = WatchUnit(
        name: name(of: "default"), command: "%h/.local/bin/gallery-sync watch --log-format text")

    private init(name: String, command: String) {
        self.name = name
        self.command = command
    }

    /// A unit that runs these words for a profile; the first is the program's path.
    package init(profile: String, words: [String]) {
        // systemd refuses a program whose path has a quote, a backslash or a line end, but accepts them in later words.
        let isUnstartable = words.first?.unicodeScalars.contains {
            "'\"\\".unicodeScalars.contains($0) || $0.value < 32
        }
        let words = isUnstartable ?? false ? ["/usr/bin/env"] + words : words
        // systemd expands no variables in the first word, which is a path.
        let program = words.prefix(1).map { Self.quoted($0, doubling: "%") }
        let command = program + words.dropFirst().map { Self.quoted($0, doubling: "%$") }
        self.init(name: Self.name(of: profile), command: command.joined(separator: " "))
    }

    /// The name of a profile's unit; the default one's has no suffix.
    package static func name(of profile: String) -> String {
        guard profile != "default" else { return "gallery-sync.service" }
        let escaped = profile.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : "\\x" + hexadecimal(byte)
        }
        return "gallery-sync-\(escaped.joined()).service"
    }

    /// A line that every unit written by this program has, and no other unit.
    package static let mark = "Documentation=man:gallery-sync(1)"

    private static func isPlain(_ byte: UInt8) -> Bool {
        let scalar = UnicodeScalar(byte)
        return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            || scalar == "_" || scalar == "." || scalar == ":"
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// A word as `ExecStart` takes it literally (systemd.service(5), "Command lines").
    ///
    /// - Parameter signs: Signs that begin a specifier or a variable; doubled, they stand for themselves.
    private static func quoted(_ word: String, doubling signs: String) -> String {
        var text = ""
        var isPlain = !word.isEmpty
        for scalar in word.unicodeScalars {
            switch scalar {
            case _ where signs.unicodeScalars.contains(scalar):
                text.unicodeScalars.append(contentsOf: [scalar, scalar])
            case "\\", "\"":
                isPlain = false
                text.unicodeScalars.append(contentsOf: ["\\", scalar])
            case "\n":
                isPlain = false
                text += "\\n"
            // A carriage return also ends a line.
            case "\r":
                isPlain = false
                text += "\\r"
            default:
                if scalar == " " || scalar == "\t" || scalar == "'" || scalar == ";" { isPlain = false }
                text.unicodeScalars.append(scalar)
            }
        }
        return isPlain ? text : "\"\(text)\""
    }
}

extension WatchUnit {
    /// The whole file.
    package var text: String {
        """
        # Background sync as a service of the user who starts it. "gallery-sync service install" writes it for the
        # program that it is; the package and config/install.sh bring it, too.
        # To go on after logging out: loginctl enable-linger
        [Unit]
        Description=Keep photos and videos safe in Supabase Storage
        \(Self.mark)
        # It waits for the network and for disks by itself, and what went wrong once may go well later.
        StartLimitIntervalSec=0

        [Service]
        Type=notify
        ExecStart=\(command)
        # The key from a file that only root can read, instead of GALLERY_SYNC_KEY or destination.keyFile; add it with
        # "systemctl --user edit", since "service install" writes this file anew:
        # LoadCredential=gallery-sync-key:/etc/gallery-sync.key

        # An agent that hangs is started again; every transfer goes on where it was cut off.
        WatchdogSec=120
        WatchdogSignal=SIGKILL
        # 3: done, but some files failed; the report says which.
        SuccessExitStatus=3 130 143
        Restart=on-failure
        RestartSec=30
        # 2 a wrong command line, 6 not permitted, 7 the destination is full, 11 already running, 78 the configuration
        # needs a human: starting again would change nothing.
        RestartPreventExitStatus=2 6 7 11 78
        # Running requests get 5 s, then the queue is folded.
        TimeoutStopSec=30
        KillMode=mixed

        Nice=10
        IOSchedulingClass=idle
        CPUWeight=20
        IOWeight=20
        OOMPolicy=continue

        # The agent reads the gallery and writes its own folders; it never changes a photo. Only what the systemd of a user
        # applies is here. PrivateTmp, ProtectSystem and all else that needs a mount namespace has no effect there without
        # PrivateUsers, and with it the unit fails where the kernel refuses user namespaces, or a folder is missing.
        NoNewPrivileges=yes
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        # The media worker takes the network away from itself.
        RestrictNamespaces=user net
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        # What is listed apart is how the media worker confines itself.
        SystemCallFilter=@system-service seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
        SystemCallErrorNumber=EPERM
        SystemCallArchitectures=native
        MemoryDenyWriteExecute=yes
        UMask=0077

        [Install]
        WantedBy=default.target

        """
    }
}
