import Glibc

extension Directory {
    /// Why no name can be made in the directory at `path`; `nil` where that may be, as far as is known without trying.
    package static func refusal(at path: FilePath) -> SystemError? {
        do throws(SystemError) {
            try SystemError.check("access", path) { path.withCString { access($0, W_OK | X_OK) } }
            return nil
        } catch {
            return error
        }
    }
}
