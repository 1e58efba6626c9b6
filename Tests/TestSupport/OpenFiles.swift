import Glibc
package import Platform

/// The open files of this process.
package enum OpenFiles {
    /// The open files and directories below `folder`, removed ones included.
    ///
    /// Without open files, no thread that owns one is left, because a file is closed only after its thread has ended.
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
