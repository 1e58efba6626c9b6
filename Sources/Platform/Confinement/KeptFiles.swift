import CLinux
import Glibc

/// Files that a confined process can still open by their paths, because it holds them open.
///
/// The filter permits no call with a path. It interrupts `openat` instead of refusing it, and the handler answers
/// with a new descriptor for a file that is already open, so the process gains nothing. The handler also answers
/// when a library first asks whether such a file can be read, as cairo does.
enum KeptFiles {
    /// The calls that the handler answers.
    static let calls: [Int32] = [SYS_openat, SYS_faccessat] + callsOnlyHere

    #if arch(x86_64)
        private static let callsOnlyHere: [Int32] = [SYS_access]
    #else
        private static let callsOnlyHere: [Int32] = []
    #endif

    private struct File {
        let path: UnsafePointer<CChar>
        let descriptor: Int32
    }

    /// Set before there is a second thread, and only read by the handler.
    nonisolated(unsafe) private static var files: UnsafeMutablePointer<File>?
    nonisolated(unsafe) private static var count = 0

    /// Opens these files, except those that are not there, and answers calls that the filter interrupts.
    static func keep(_ paths: [FilePath]) throws(SystemError) {
        let open = paths.compactMap { path -> File? in
            let descriptor = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
            guard descriptor >= 0, let name = path.withCString({ strdup($0) }) else { return nil }
            return File(path: name, descriptor: descriptor)
        }
        let table = UnsafeMutableBufferPointer<File>.allocate(capacity: open.count)
        _ = table.initialize(from: open)
        (files, count) = (table.baseAddress, open.count)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, facts, context in
            if let context, let facts, facts.pointee.si_code == KeptFiles.interruptedByFilter {
                KeptFiles.answer(
                    facts.pointee._sifields._sigsys._syscall, context.assumingMemoryBound(to: ucontext_t.self))
            } else {
                // The signal came from another process: it ends this one, as it would without a handler.
                Glibc.signal(signal, SIG_DFL)
                raise(signal)
            }
        }
        action.sa_flags = SA_SIGINFO
        try SystemError.check("sigaction") { sigaction(SIGSYS, &action, nil) }
    }

    private static let interruptedByFilter: Int32 = 1  // SYS_SECCOMP

    /// Sets what the interrupted call returns; allocates nothing, since its caller may hold the allocator's lock.
    private static func answer(_ call: Int32, _ context: UnsafeMutablePointer<ucontext_t>) {
        #if arch(x86_64)
            let registers = context.pointee.uc_mcontext.gregs
            let (first, second, third) = (registers.8, registers.9, registers.12)  // RDI, RSI, RDX
            context.pointee.uc_mcontext.gregs.13 = Int64(result(of: call, first, second, third))  // RAX
        #elseif arch(arm64)
            let registers = context.pointee.uc_mcontext.regs
            let (first, second, third) = (registers.0, registers.1, registers.2)
            let answer = result(
                of: call, Int64(bitPattern: first), Int64(bitPattern: second), Int64(bitPattern: third))
            context.pointee.uc_mcontext.regs.0 = UInt64(bitPattern: Int64(answer))
        #endif
    }

    private static func result(of call: Int32, _ first: Int64, _ second: Int64, _ third: Int64) -> Int32 {
        switch call {
        case SYS_openat: descriptor(second)
        case SYS_faccessat: access(second, mode: third)
        default: access(first, mode: second)
        }
    }

    /// A descriptor at the start of the file whose path lies at `address`, or a negated error number.
    ///
    /// Copies of a descriptor share their offset, so only one reader at a time can read the file.
    private static func descriptor(_ address: Int64) -> Int32 {
        guard let file = file(address) else { return -EACCES }
        lseek(file.descriptor, 0, SEEK_SET)
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? -errno : copy
    }

    /// Whether the file whose path lies at `address` is there and may be read.
    private static func access(_ address: Int64, mode: Int64) -> Int32 {
        file(address) != nil && mode & ~Int64(R_OK) == 0 ? 0 : -EACCES
    }

    private static func file(_ address: Int64) -> File? {
        guard let path = UnsafePointer<CChar>(bitPattern: Int(address)), let files else { return nil }
        var index = 0
        while index < count, strcmp(files[index].path, path) != 0 { index += 1 }
        return index < count ? files[index] : nil
    }
}
