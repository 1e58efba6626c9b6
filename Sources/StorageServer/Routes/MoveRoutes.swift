import ObjectStore
import Platform
import Serving

extension Route {
    static let moveRoutes = [
        Route("POST", "/object/move") { try await $0.move($1) },
        Route("POST", "/object/copy") { try await $0.copy($1) },
    ]
}

/// The source and the target of a move or a copy.
private struct Journey {
    let bucket: String
    let source: String
    let targetBucket: String
    let target: String
    let fields: Fields

    init(_ body: JSON?) throws(ProtocolRefusal) {
        fields = try Fields(body, required: ["bucketId", "sourceKey", "destinationKey"])
        bucket = try fields.requiredText("bucketId")
        source = try fields.requiredText("sourceKey")
        target = try fields.requiredText("destinationKey")
        targetBucket = try fields.text("destinationBucket") ?? bucket
    }

    /// Refuses names that are not legal for buckets or objects.
    func checkNames() throws(ProtocolRefusal) {
        guard Names.isBucket(bucket), Names.isBucket(targetBucket) else { throw .badBucketName }
        for key in [target, source] where !Names.isKey(key) { throw .badKey(key) }
    }
}

extension Depot {
    func move(_ call: RoutedRequest) async throws -> Response {
        let journey = try Journey(try await call.json())
        let caller = try caller(of: call)
        try journey.checkNames()
        let now = clock()
        let known = try await index.read { try $0.object(journey.source, in: journey.bucket) }
        let eTag = if let known { try await eTag(ofMoved: known) } else { String?.none }
        let number = index.numbers.next()
        try await change { index in
            guard caller.owns(journey.source), var object = try index.object(journey.source, in: journey.bucket) else {
                throw ProtocolRefusal.noObject
            }
            guard caller.owns(journey.target) else { throw ProtocolRefusal.policyViolated }
            guard (journey.bucket, journey.source) != (journey.targetBucket, journey.target) else { return }
            guard try index.bucket(journey.targetBucket) != nil else { throw ProtocolRefusal.noRelated }
            guard try index.object(journey.target, in: journey.targetBucket) == nil else {
                throw ProtocolRefusal.resourceExists
            }
            try index.removeObject(journey.source, in: journey.bucket)
            object.bucket = journey.targetBucket
            object.key = journey.target
            object.updatedAt = now
            object.number = number
            if let eTag, object.version == known?.version { object.content.eTag = eTag }
            try index.put(object)
        }
        return .message("Successfully moved")
    }

    func copy(_ call: RoutedRequest) async throws -> Response {
        let journey = try Journey(try await call.json())
        let keepsMetadata = try journey.fields.flag("copyMetadata") ?? true
        let metadata = try journey.fields.fields("metadata")
        let caller = try caller(of: call)
        try journey.checkNames()
        let source = try await object(journey.source, in: journey.bucket, for: caller)
        let replacing = call.header("x-upsert") == "true"
        let isTaken = try await index.read { try $0.object(journey.target, in: journey.targetBucket) != nil }
        try permit(caller, toStore: journey.target, in: journey.targetBucket, isTaken: isTaken && !replacing)
        func copy(of source: IndexedObject) throws -> IndexedObject {
            var copy = source
            let now = clock()
            copy.bucket = journey.targetBucket
            copy.key = journey.target
            copy.id = Randomness.uuid()
            copy.owner = caller.subject ?? ""
            copy.createdAt = now
            copy.updatedAt = now
            copy.content.modifiedAt = now
            copy.number = index.numbers.next()
            if !keepsMetadata {
                copy.content.cacheControl = try metadata?.text("cacheControl") ?? copy.content.cacheControl
                copy.content.type = try metadata?.text("mimetype") ?? copy.content.type
                copy.userMetadata = call.header("x-metadata").flatMap(UploadHeaders.userMetadata)
            }
            return copy
        }
        var next: IndexedObject? = source
        while let current = next {
            if let row = try await copyBytes(of: current.version, as: copy(of: current)) {
                return .json(Self.answer(to: try await store(row, replacing: replacing)))
            }
            next = try await replacement(of: current)
        }
        throw ProtocolRefusal.noContent
    }

    /// A second blob of the bytes of `version`, with `row` as its row; `nil` where they are gone.
    private func copyBytes(of version: String, as row: IndexedObject) async throws -> IndexedObject? {
        do {
            // The bytes may be damaged by now: the copy's size and eTag describe the bytes that are there.
            return try await blobs.copy(version) { blob in
                var row = row
                row.version = blob.version
                row.content.size = blob.size
                row.content.eTag = blob.eTag
                return row
            }
        } catch let error as SystemError {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The eTag of `object` after a move, which leaves it without parts.
    private func eTag(ofMoved object: IndexedObject) async throws -> String {
        guard eTags != .md5, object.content.eTag.contains("-") else { return object.content.eTag }
        return try await blobs.digest(of: object.version).eTag
    }

    private static func answer(to copy: IndexedObject) -> JSON {
        let names: JSON = ["Key": .text("\(copy.bucket)/\(copy.key)"), "Id": .text(copy.id)]
        guard case .object(let named) = names, case .object(let row) = copy.row else { return copy.row }
        return .object(named + row)
    }
}
