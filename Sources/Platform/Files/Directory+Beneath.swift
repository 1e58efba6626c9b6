import CLinux
import Glibc

/// A name and the open directory that contains it.
struct OpenParent {
    /// Referenced so that the descriptor stays open.
    let directory: Directory
    let name: FilePath

    var descriptor: Int32 { directory.descriptor }
}

extension Directory {
    /// Whether `openat2` works, which resolves below a directory (Linux 5.6; some containers forbid it).
    private static let resolvesBeneath: Bool = {
        let descriptor = clinux_openat2(AT_FDCWD, "/", UInt64(O_RDONLY | O_CLOEXEC | O_DIRECTORY), 0, 0)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }()

    private static let onlyName: Int32 = 0o10000000  // O_PATH

    /// A descriptor of what `relative` names below this directory; an empty path names the directory.
    func openBeneath(_ relative: FilePath, flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
        try openBeneath(relative, flags: flags, mode: mode, byKernel: Self.resolvesBeneath)
    }

    /// The same, resolved by the kernel or by opening one component after another.
    func openBeneath(
        _ relative: FilePath, flags: Int32, mode: UInt32, byKernel: Bool
    ) throws(SystemError) -> Int32 {
        if relative.isAbsolute || relative.components.contains([46, 46]) {  // `..`
            throw SystemError(call: "openat2", code: EXDEV, path: path.appending(relative))
        }
        guard byKernel, relative.bytes.count < Int(PATH_MAX) else {
            return try openByComponents(relative, flags: flags, mode: mode)
        }
        let name = relative.isEmpty ? "." : relative
        let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS)
        return try SystemError.check("openat2", path.appending(relative)) {
            name.withCString {
                clinux_openat2(
                    descriptor, $0, UInt64(flags | O_CLOEXEC), flags & O_CREAT == 0 ? 0 : UInt64(mode), resolve)
            }
        }
    }

    private func openByComponents(_ relative: FilePath, flags: Int32, mode: UInt32) throws(SystemError) -> Int32 {
        var names = relative.components.map { FilePath(bytes: $0) }
        let last = names.popLast() ?? "."
        var current = self
        for name in names {
            let next = try current.openChild(name, flags: Self.onlyName | O_DIRECTORY, for: relative)
            current = Directory(descriptor: next, path: path)
        }
        return try current.openChild(last, flags: flags, mode: mode, for: relative)
    }

    private func openChild(
        _ name: FilePath, flags: Int32, mode: UInt32 = 0, for relative: FilePath
    ) throws(SystemError) -> Int32 {
        do {
            return try SystemError.check("openat", path.appending(relative)) {
                name.withCString { openat(descriptor, $0, flags | O_NOFOLLOW | O_CLOEXEC, mode_t(mode)) }
            }
        } catch {
            // For a symlink where a directory is expected, openat says "not a directory", openat2 "a loop of links".
            let isLink = error.code == ENOTDIR && (try? facts(of: name).kind) == .symlink
            throw isLink ? SystemError(call: error.call, code: ELOOP, path: error.path) : error
        }
    }

    /// The directory that contains `relative`, opened without following a symlink.
    func parent(of relative: FilePath) throws(SystemError) -> OpenParent {
        let name = FilePath(bytes: relative.name)
        guard !name.isEmpty, name != "..", !relative.isAbsolute else {
            throw SystemError(
                call: "openat2", code: relative.isAbsolute || name == ".." ? EXDEV : ENOENT,
                path: path.appending(relative))
        }
        if relative.parent.isEmpty { return OpenParent(directory: self, name: name) }
        let descriptor = try openBeneath(relative.parent, flags: Self.onlyName | O_DIRECTORY)
        return OpenParent(
            directory: Directory(descriptor: descriptor, path: path.appending(relative.parent)), name: name)
    }
}
