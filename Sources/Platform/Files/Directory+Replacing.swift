extension Directory {
    /// What `body` makes of a new file beside `name`, which it gives that name; where it throws, the file is removed.
    ///
    /// The file's name until then comes second; a crash leaves it with that, which ends in `.new`.
    package func makeFile<Value>(
        beside name: FilePath, _ body: (OpenFile, FilePath) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
        let fresh = FilePath(bytes: name.bytes + Array(".\(UInt32.random(in: .min ... .max)).new".utf8))
        let file = try create(file: fresh, exclusive: true)
        do throws(SystemError) {
            return try body(file, fresh)
        } catch {
            // What went wrong first says more.
            _ = try? remove(file: fresh)
            throw error
        }
    }
}
