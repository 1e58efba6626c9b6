import Glibc

extension Directory {
    /// Why no name can be created in the directory at `path`; `nil` if rights and room permit it, since nothing is tried.
    ///
    /// - Parameter room: Bytes that its disk must have left.
    package static func refusal(at path: FilePath, room: Int64 = 0) -> SystemError? {
        do throws(SystemError) {
            try SystemError.check("access", path) { path.withCString { access($0, W_OK | X_OK) } }
            guard room > 0, try Directory(path).availableBytes() < room else { return nil }
            return SystemError(call: "statfs", code: ENOSPC, path: path)
        } catch {
            return error
        }
    }
}
