import Glibc

/// Files that a confined process can still open by their paths, because it holds them open.
///
/// The filter permits no call that opens a path. It interrupts `openat` instead of refusing it, and the handler answers
/// with another descriptor of a file that is open already: the process gets nothing that it does not have.
enum KeptFiles {
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
            if let context, facts?.pointee.si_code == KeptFiles.interruptedByFilter {
                KeptFiles.answer(context.assumingMemoryBound(to: ucontext_t.self))
            } else {
                // Another process sent it: it ends this one, as it does without a handler.
                Glibc.signal(signal, SIG_DFL)
                raise(signal)
            }
        }
        action.sa_flags = SA_SIGINFO
        try SystemError.check("sigaction") { sigaction(SIGSYS, &action, nil) }
    }

    private static let interruptedByFilter: Int32 = 1  // SYS_SECCOMP

    /// Sets what the interrupted `openat` returns; allocates nothing, since its caller may hold the allocator's lock.
    private static func answer(_ context: UnsafeMutablePointer<ucontext_t>) {
        #if arch(x86_64)
            let path = UInt(bitPattern: Int(context.pointee.uc_mcontext.gregs.9))  // RSI
            context.pointee.uc_mcontext.gregs.13 = Int64(descriptor(path))  // RAX
        #elseif arch(arm64)
            let path = UInt(context.pointee.uc_mcontext.regs.1)
            context.pointee.uc_mcontext.regs.0 = UInt64(bitPattern: Int64(descriptor(path)))
        #endif
    }

    /// A descriptor at the start of the file whose path lies at `address`, or a negated error number.
    ///
    /// Copies of a descriptor share their offset, so a file is read by one reader at a time.
    private static func descriptor(_ address: UInt) -> Int32 {
        guard let path = UnsafePointer<CChar>(bitPattern: address), let files else { return -EACCES }
        var index = 0
        while index < count, strcmp(files[index].path, path) != 0 { index += 1 }
        guard index < count else { return -EACCES }
        lseek(files[index].descriptor, 0, SEEK_SET)
        let copy = fcntl(files[index].descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? -errno : copy
    }
}
