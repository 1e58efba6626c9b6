extension Directory {
    /// What `body` returns, which fills a new file beside `name` and renames it; the file is removed if `body` throws.
    ///
    /// The second argument of `body` is the file's temporary name, which ends in `.new`; a crash may leave such a file.
    package func makeFile<Value>(
        beside name: FilePath, _ body: (OpenFile, FilePath) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        let fresh = FilePath(bytes: name.bytes + Array(".\(UInt32.random(in: .min ... .max)).new".utf8))
        let file = try create(file: fresh, exclusive: true)
        do throws(SystemError) {
            return try body(file, fresh)
        } catch {
            // The error that `body` threw says more than one of the removal.
            _ = try? remove(file: fresh)
            throw error
        }
    }
}
