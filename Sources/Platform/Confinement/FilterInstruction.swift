import CLinux

/// One instruction of the kernel's BPF machine, which seccomp runs on every system call.
struct FilterInstruction: Hashable {
    let code: UInt16
    /// Instructions to skip when the comparison holds.
    let ifTrue: UInt8
    /// Instructions to skip when it does not.
    let ifFalse: UInt8
    let operand: UInt32

    private init(_ code: Int32, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
        self.code = UInt16(code)
        self.operand = operand
        self.ifTrue = ifTrue
        self.ifFalse = ifFalse
    }

    /// Loads 32 bits at `offset` of `struct seccomp_data`.
    static func load(_ offset: UInt32) -> FilterInstruction {
        FilterInstruction(BPF_LD | BPF_W | BPF_ABS, offset)
    }

    static func skip(_ count: UInt8, ifEqual value: UInt32) -> FilterInstruction {
        FilterInstruction(BPF_JMP | BPF_JEQ | BPF_K, value, ifTrue: count)
    }

    static func skip(_ count: UInt8, unlessEqual value: UInt32) -> FilterInstruction {
        FilterInstruction(BPF_JMP | BPF_JEQ | BPF_K, value, ifFalse: count)
    }

    static func skip(_ count: UInt8, unlessAtLeast value: UInt32) -> FilterInstruction {
        FilterInstruction(BPF_JMP | BPF_JGE | BPF_K, value, ifFalse: count)
    }

    static func skip(_ count: UInt8, unlessAnyBitOf mask: UInt32) -> FilterInstruction {
        FilterInstruction(BPF_JMP | BPF_JSET | BPF_K, mask, ifFalse: count)
    }

    /// Ends the filter with `verdict`.
    static func end(_ verdict: Verdict) -> FilterInstruction {
        FilterInstruction(BPF_RET | BPF_K, verdict.value)
    }

    /// Offsets in `struct seccomp_data`: number, architecture, instruction pointer, six 64-bit arguments.
    static let number: UInt32 = 0
    static let architecture: UInt32 = 4

    /// The lower half of an argument; both supported processors are little-endian.
    static func argument(_ index: Int) -> UInt32 { 16 + UInt32(index) * 8 }

    var sockFilter: sock_filter { sock_filter(code: code, jt: ifTrue, jf: ifFalse, k: operand) }
}

/// What happens to a system call.
enum Verdict: Hashable {
    case allow
    /// It fails with this error number.
    case refuse(Int32)
    /// The process ends with SIGSYS.
    case kill

    /// It returns 0 and does nothing.
    static let pretend = Verdict.refuse(0)

    var value: UInt32 {
        switch self {
        case .allow: 0x7fff_0000  // SECCOMP_RET_ALLOW
        case .refuse(let code): 0x0005_0000 | UInt32(code)  // SECCOMP_RET_ERRNO
        case .kill: 0x8000_0000  // SECCOMP_RET_KILL_PROCESS
        }
    }
}
