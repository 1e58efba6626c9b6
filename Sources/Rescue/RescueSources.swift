package import Platform
package import Providers
package import Transfer

/// Where rescued files come from, and where they go.
package struct RescueSources: Sendable {
    /// The providers whose finished videos are rescued.
    package var providers: [ProviderName: any Provider] = [:]
    /// Reads a provider's key again and makes a client with it; `nil` where it has none.
    package var reread: @Sendable (ProviderName) -> (any Provider)? = { _ in nil }
    /// Which hosts and sizes a rescue may fetch.
    package var linkRules = LinkRules()
    /// When and how long providers are asked about a job.
    package var polling = PollingPolicy()
    /// The transport that files are downloaded with; `nil` for the one that uploads.
    package var downloads: (any Transport)?
    /// Bytes that one request for a file asks for at most; made durable after each.
    package var chunk: Int64 = 8 << 20
    /// The directory that is the root of rescued files; made where it is missing.
    package var folder: FilePath
    /// The database whose rows hold links; `nil` without one.
    package var rows: (any RowKeeping)?
    /// The inbox that webhooks write to; `nil` where the settings want none, or the storage has no database.
    package var inbox: (any InboxKeeping)?

    /// Sources without a provider, for files below `folder`.
    package init(folder: FilePath) { self.folder = folder }
}
