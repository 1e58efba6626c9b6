import Glibc
package import Platform

/// The open files of this process.
package enum OpenFiles {
    /// The open files and directories below `folder`, removed ones included.
    ///
    /// A thread that owns a file ends before the file is closed: without open files no such thread lives.
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
