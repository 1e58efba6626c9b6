package import Platform

/// A file as its directory showed it at one moment.
package struct Observation: Hashable, Sendable {
    /// The file's name in its directory; need not be UTF-8.
    package let name: [UInt8]
    /// Bytes.
    package let size: Int64
    /// When its content last changed, as the file system has it.
    package let modifiedAt: FileTime
    /// Whether it seems to be complete; while it is still written to, only its presence counts.
    package let isSettled: Bool

    /// A file as the file system described it at one moment.
    package init(name: [UInt8], size: Int64, modifiedAt: FileTime, isSettled: Bool = true) {
        self.name = name
        self.size = size
        self.modifiedAt = modifiedAt
        self.isSettled = isSettled
    }

    /// The largest size of a file that is kept safe: no storage takes more, and the sum of a million such files fits.
    ///
    /// A sparse file can claim 8 EiB, and the sum of two of those would not fit into the library.
    package static let mostBytes: Int64 = 1 << 42

    /// A file as `facts` describe it; throws `EFBIG` for one that is larger.
    package init(name: [UInt8], _ facts: FileFacts, isSettled: Bool = true) throws(SystemError) {
        guard facts.size <= Self.mostBytes else { throw SystemError(call: "fstatat", code: 27) }
        self.init(name: name, size: facts.size, modifiedAt: facts.modifiedAt, isSettled: isSettled)
    }
}
