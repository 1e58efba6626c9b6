package import Platform

extension ThumbnailCache {
    /// Removes the oldest pictures until at most `limit` bytes are left; returns how many bytes that freed.
    ///
    /// A picture that is needed again is made again.
    package func evict(beyond limit: Int64) throws(SystemError) -> Int64 {
        guard try FileFacts.existing(folder) != nil else { return 0 }
        return try Directory(folder).evict(beyond: limit, to: limit).freed
    }
}
