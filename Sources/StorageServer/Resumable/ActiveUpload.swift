/// An upload in the hands of one request.
struct ActiveUpload: Sendable {
    var upload: Upload
    let access: UploadAccess
    let bucket: IndexedBucket
    /// Bytes that are there.
    var size: Int64

    var isWhole: Bool { size == upload.length }
    /// Bytes that may still come.
    var room: Int64 { (upload.length ?? bucket.limit) - size }
    /// What more than that is answered with.
    var excess: ResumableRefusal { upload.length == nil ? .tooLarge : .tooLong }
}
