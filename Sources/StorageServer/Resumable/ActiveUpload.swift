import ObjectStore

/// An upload that one request is working on.
struct ActiveUpload: Sendable {
    var upload: Upload
    let access: UploadAccess
    let bucket: IndexedBucket
    /// The bytes that have arrived.
    var size: Int64

    var isWhole: Bool { size == upload.length }
    /// How many more bytes may arrive.
    var room: Int64 { (upload.length ?? bucket.limit) - size }
    /// The refusal when more bytes than that arrive.
    var excess: ResumableRefusal { upload.length == nil ? .tooLarge : .tooLong }
}
