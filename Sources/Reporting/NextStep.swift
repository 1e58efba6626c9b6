/// What the user can do about a failure, by its code.
package enum NextStep {
    /// One sentence; codes are `file.<errno>`, `storage.<code>`, `http.<status>` and a few of our own.
    ///
    /// The row with the longest prefix of `code` decides, so `http.5` stands for every 5xx.
    package static func after(code: String) -> String {
        let row = rows.filter { code.hasPrefix($0.code) }.max { $0.code.utf8.count < $1.code.utf8.count }
        return row?.step ?? "See \"gallery-sync why FILE\", then \"gallery-sync reupload --failed\"."
    }

    /// The step when objects are stored in another place than the settings name.
    package static let afterChangeOfDestination =
        "Run \"gallery-sync init --change-destination\" to begin anew there, or name the former one again."

    /// `step`, unless `message` has already said what to do.
    package static func remaining(_ step: String, after message: String) -> String? {
        steps.contains { message.contains($0) } ? nil : step
    }

    /// Phrases that only a message which already says what to do contains.
    private static let steps = [
        "\"gallery-sync ", "in the dashboard", "\"timedatectl ", "Set a new GALLERY_SYNC_KEY",
        "Check this computer's clock",
    ]

    private static let room = "Make room on this computer's disk; it is tried again by itself."
    private static let waits = "Nothing; it is tried again by itself, once other programs need less."
    private static let again = "\"gallery-sync reupload --failed\""

    private static let rows: [(code: String, step: String)] = [
        ("file.EACCES", "Let this user read the file; it is tried again at the next scan."),
        ("file.EPERM", "Let this user read the file; it is tried again at the next scan."),
        ("file.EIO", "The disk could not read it: check the disk, and keep what other copies there are."),
        ("file.ENOENT", "The file went away while it was read; nothing to do."),
        ("file.ESTALE", "The network disk lost it for a moment; it is tried again at the next scan."),
        ("file.ENOSPC", room), ("file.EDQUOT", room),
        ("file.EROFS", "Let this user write to the disk, which takes nothing now; it is tried again by itself."),
        ("file.EMFILE", waits), ("file.ENFILE", waits), ("file.ENOMEM", waits),
        ("file.", "Make the file readable; it is tried again at the next scan."),
        ("storage.EntityTooLarge", "Raise the size limit of the bucket or project, then run \(again)."),
        ("storage.NoSuchBucket", "Make the bucket again, or run \"gallery-sync init --change-destination\"."),
        ("storage.InvalidMimeType", "Let the bucket take this type of file, then run \"gallery-sync sync\"."),
        ("storage.InvalidKey", "Rename the file: storage does not take this name."),
        ("storage.InvalidJWT", "Sign in again or set a new GALLERY_SYNC_KEY."),
        ("storage.AccessDenied", "Give the key or the signed-in user the right to write to this bucket."),
        ("storage.KeyAlreadyExists", "The name is taken by something that is not ours: see setting upload.onForeign."),
        (
            "storage.ResourceAlreadyExists",
            "The name is taken by something that is not ours: see setting upload.onForeign."
        ),
        ("storage.QuotaExceeded", "Make room in the project or change its plan, then run \(again)."),
        ("storage.SlowDown", "Nothing; it is tried again by itself, more slowly."),
        ("storage.Database", "Nothing at first: it is tried again by itself. If it stays, look at the project."),
        ("storage.InternalError", "Nothing at first: it is tried again by itself. If it stays, look at the project."),
        ("storage.S3Error", "Nothing at first: it is tried again by itself. If it stays, look at the project."),
        ("storage.LockTimeout", "Nothing; it is tried again by itself."),
        ("storage.TenantNotFound", "Check destination.url: there is no such project."),
        ("storage.InvalidBucketName", "Choose another destination.bucket."),
        ("http.401", "Sign in again or set a new GALLERY_SYNC_KEY."),
        ("http.403", "Give the key or the signed-in user the right to write to this bucket."),
        ("http.404", "Check destination.url and destination.bucket with \"gallery-sync config show\"."),
        ("http.413", "Raise the size limit of the bucket or project, then run \(again)."),
        ("http.429", "Nothing; it is tried again by itself, more slowly."),
        ("http.507", "Make room at the destination, then run \(again)."),
        ("http.5", "Nothing at first: it is tried again by itself. If it stays, look at the destination."),
        ("auth.", "Run \"gallery-sync login\", or set a new GALLERY_SYNC_KEY."),
        ("limit.storage", "Raise the size limit of the bucket or project, then run \(again)."),
        ("limit.proxy", "Raise the size limit of the proxy before the storage, then run \(again)."),
        ("limit.budget", "Raise destination.storageBudget to what the plan allows."),
        ("network.", "Check the network; it is tried again by itself."),
        ("directory.away", "Mount its disk; it is looked at again at the next scan."),
        ("directory.unreadable", "Let this user list and enter the directory; it is looked at again at the next scan."),
        ("verify.", "What storage holds is not what was sent; run \(again)."),
        ("storage.Duplicate", "The name is taken by something that is not ours: see setting upload.onForeign."),
        ("object.foreign", "The name is taken by something that is not ours: see setting upload.onForeign."),
    ]
}
