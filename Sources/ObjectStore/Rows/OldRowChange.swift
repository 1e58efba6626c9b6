/// A change of a row as the journal of version 4 records it.
enum OldRowChange: Hashable {
    case put(IndexedObject)
    case remove(bucket: String, key: String)
    case putBucket(IndexedBucket)
    case removeBucket(String)

    /// `nil` when a member is missing.
    init?(_ json: JSON) {
        if let row = json["put"] {
            guard let object = IndexedObject(row: row) else { return nil }
            self = .put(object)
        } else if let row = json["remove"] {
            guard let bucket = row["bucket"]?.string, let key = row["key"]?.string else { return nil }
            self = .remove(bucket: bucket, key: key)
        } else if let row = json["putBucket"] {
            guard let bucket = IndexedBucket(row: row) else { return nil }
            self = .putBucket(bucket)
        } else {
            guard let id = json["removeBucket"]?.string else { return nil }
            self = .removeBucket(id)
        }
    }
}
