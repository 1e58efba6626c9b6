import Access
package import Catalog
import Configuration
import Gallery
import Supabase

extension Setup {
    /// Where the known objects are, if the settings name another place, so that `sync` would refuse; `nil` otherwise.
    package func storedElsewhere(_ library: Library) async throws -> String? {
        let wanted = settings.destination
        guard let known = try await library.fact(Library.destinationFact) else { return nil }
        let isLocal = wanted.local || wanted.url == nil && known.hasPrefix("local ")
        guard isLocal || wanted.url != nil else { return nil }
        var endpoint = StorageEndpoint(base: "http://this-computer")
        var user: String?
        if !isLocal, let url = wanted.url {
            endpoint = StorageEndpoint(base: Workplace.base(of: url))
            // Without a readable sign-in the user's folder is not known; the rest of the report is.
            do { user = try SessionFile.existing(locations)?.read()?.userID(at: url) } catch { return nil }
        }
        let name = Destination(
            endpoint: endpoint, bucket: wanted.bucket, prefix: wanted.prefix, userID: user, isLocal: isLocal
        ).name
        return known == name ? nil : known
    }
}
