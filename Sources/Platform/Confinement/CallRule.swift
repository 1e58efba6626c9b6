/// How the filter decides about one system call.
enum CallRule: Hashable {
    case always(Verdict)
    /// `allow` if the argument, masked by `mask`, is one of these values, else `otherwise`.
    case oneOf(argument: UInt32, mask: UInt64 = 0xffff_ffff, [UInt64], otherwise: Verdict)

    /// The arguments that have these bits where `mask` has ones.
    struct Pattern: Hashable {
        let mask: UInt64
        let value: UInt64
    }

    /// Patterns that together match every masked argument except `values`.
    ///
    /// No two match the same argument, because libseccomp does not promise in which order it tries the rules of a call.
    static func others(than values: [UInt64], mask: UInt64) -> Set<Pattern> {
        var patterns: Set<Pattern> = []
        var seen: UInt64 = 0
        for bit in (0..<64).reversed().map({ 1 << $0 & mask }) where bit != 0 {
            seen |= bit
            // This prefix agrees with a value in all higher bits and differs from every value in this one.
            let apart = values.map { ($0 ^ bit) & seen }.filter { other in !values.contains { $0 & seen == other } }
            patterns.formUnion(apart.map { Pattern(mask: seen, value: $0) })
        }
        return patterns
    }
}

/// What happens to a system call.
enum Verdict: Hashable {
    case allow
    /// It fails with this error number.
    case refuse(Int32)
    /// The process ends with SIGSYS.
    case kill

    /// The thread gets SIGSYS, whose handler says what the call returns.
    case interrupt
    /// It returns 0 and does nothing.
    static let pretend = Verdict.refuse(0)

    /// The number that stands for this verdict in the kernel's filter and in libseccomp's calls.
    var value: UInt32 {
        switch self {
        case .allow: 0x7fff_0000  // SECCOMP_RET_ALLOW
        case .refuse(let code): 0x0005_0000 | UInt32(code)  // SECCOMP_RET_ERRNO
        case .interrupt: 0x0003_0000  // SECCOMP_RET_TRAP
        case .kill: 0x8000_0000  // SECCOMP_RET_KILL_PROCESS
        }
    }
}
