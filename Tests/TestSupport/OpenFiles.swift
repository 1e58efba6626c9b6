import Glibc
package import Platform

/// What this process has open.
package enum OpenFiles {
    /// The files and directories below `folder` that are open, removed ones included.
    ///
    /// A thread that owns a file ends before that is closed: none open says that none of them lives.
    package static func below(_ folder: FilePath) throws -> [String] {
        let top = folder.display + "/"
        return try Directory("/proc/self/fd").names().compactMap { name -> String? in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/" + name.display, &target, target.count)
            guard count > 0 else { return nil }
            let path = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.hasPrefix(top) ? path : nil
        }
    }
}
