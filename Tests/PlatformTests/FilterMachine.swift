import CSeccomp

@testable import Platform

/// The kernel's filter machine, as far as libseccomp uses it.
struct FilterMachine {
    /// A system call as the filter sees it.
    struct Call {
        var number: Int32
        var arguments: [UInt64] = []
        var architecture: UInt32
    }

    /// An instruction as the kernel lays it out (`struct sock_filter`).
    struct Instruction {
        let code: UInt16
        let ifTrue: UInt8
        let ifFalse: UInt8
        let operand: UInt32
    }

    let program: [Instruction]

    /// Takes the program that `filter` would give to the kernel.
    init(_ filter: borrowing KernelFilter) throws {
        let file = try OpenFile.inMemory()
        try SystemError.checkNumber(-seccomp_export_bpf(filter.context, file.descriptor), "seccomp_export_bpf")
        program = try file.readAll().withUnsafeBytes { Array($0.bindMemory(to: Instruction.self)) }
    }

    /// The value the filter ends with, or `nil` when it runs past its end.
    func verdict(on call: Call) -> UInt32? {
        var accumulator: UInt32 = 0
        var next = 0
        while program.indices.contains(next) {
            let instruction = program[next]
            next += 1
            let holds: Bool
            switch instruction.code {
            case 0x20:  // load a word
                accumulator = word(at: instruction.operand, of: call)
                continue
            case 0x54:  // keep the bits of a mask
                accumulator &= instruction.operand
                continue
            case 0x05:  // skip
                next += Int(instruction.operand)
                continue
            case 0x15: holds = accumulator == instruction.operand
            case 0x35: holds = accumulator >= instruction.operand
            case 0x06: return instruction.operand
            default: return nil
            }
            next += Int(holds ? instruction.ifTrue : instruction.ifFalse)
        }
        return nil
    }

    private func word(at offset: UInt32, of call: Call) -> UInt32 {
        if offset == 0 { return UInt32(bitPattern: call.number) }
        if offset == 4 { return call.architecture }
        let index = Int(offset - 16) / 8
        let argument = call.arguments.indices.contains(index) ? call.arguments[index] : 0
        return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
    }
}
