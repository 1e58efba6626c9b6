package import Platform
package import Records
import Roots

extension Root {
    /// What a walk would show at `path` now, which is nothing where no file is there.
    ///
    /// A failure says nothing about the file: its disk is away, or could not be asked.
    package func look(at path: FilePath) async -> Result<Observation?, SystemError> {
        await Blocking.run {
            Result { () throws(SystemError) in
                guard let facts = try existingFacts(of: path), facts.kind == .file else { return nil }
                return try Observation(name: path.name, facts)
            }
        }
    }
}
