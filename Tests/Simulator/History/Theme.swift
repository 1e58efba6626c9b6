/// The subject of a history: a few kinds of deeds and faults on a few files, so that they coincide.
///
/// A fault of the agent that needs two events at two moments is hardly ever found if twenty kinds of events are drawn.
enum Theme: String, CaseIterable, Sendable {
    /// A disk goes and comes back, immediately or in the middle of a walk.
    case leavingDisk
    /// Disks leave, and the user says that what is in their places is right.
    case taking
    /// Calls for the gallery fail.
    case sickDisk
    /// Calls for the state's disk fail, so that what was not yet durable may be lost while the agent goes on.
    case sickState
    /// Files and folders may not be read for a while.
    case forbidding
    /// Files change while they are read, decoded and sent.
    case changing
    /// The same, and requests arrive late.
    case late
    /// Files change, also while they are sent, and are then as they were before.
    case reverting
    /// Files change their names and come back.
    case renaming
    /// Files change their names, again and again the same ones, while requests to move their objects arrive late.
    case wandering
    /// Files have names that are escaped or shortened to become keys, and that are easily taken for one another.
    case naming
    /// Notes that date photos, and the movies of photos, come, change and leave.
    case dating
    /// Files get the names of folders, and folders those of files.
    case nesting
    /// Folders are renamed and deleted.
    case folders
    /// The directories of roots get other names.
    case moving
    /// The settings change, and the agent starts again.
    case configuring
    /// The destination changes, and changes back.
    case leavingDestination
    /// Files are missing for a moment while their bytes or pictures are owed.
    case missing
    /// Objects of deleted files are deleted, and some of the files come back.
    case pruning
    /// Files are deleted, and others get their names.
    case reusing
    /// Names change hands while storage cannot be reached for a while.
    case shuffling
    /// Programs do several things to the same files and folders within one second, as when they save or sort photos.
    case bursting
    /// The network leaves for seconds, again and again, while some of what is sent arrives.
    case flickering
    /// There is little room in storage.
    case tight
    /// The user takes files out of the queue.
    case cancelling
    /// The agent's process or computer dies.
    case dying
    /// Files change and are as they were again, while what was written down is damaged, or comes from a backup.
    case decaying
    /// The agent's state is lost, and it begins anew.
    case reinstalling
    /// The same, or a backup comes back, and the user gives commands before the next agent starts.
    case recovering
    /// Items wait, more than the queue holds.
    case waiting
    /// The storage loses, forgets and lies, or keeps other bytes than it was sent.
    case forgetting
    /// Listings go in circles.
    case circling
    /// Videos are ordered, and the agent dies meanwhile.
    case ordering
    /// Other programs and a second computer store in the same bucket.
    case sharing
    /// The user gives orders while files come and go.
    case commanding
    /// So many files change at once that another program than the user's may be changing them.
    case scrambling

    /// The usual themes: `dying` twice, as it can go wrong in many ways; not `scrambling`, which takes long.
    static let usual = allCases.filter { $0 != .scrambling } + [.dying]

    /// The faults that most of its histories have.
    var faults: [FaultKind] {
        switch self {
        case .leavingDisk, .taking, .forbidding, .changing, .reverting, .renaming, .naming, .dating, .nesting, .moving,
            .configuring, .leavingDestination, .missing, .reusing, .shuffling, .bursting, .cancelling, .dying,
            .decaying,
            .reinstalling, .recovering,
            .waiting, .ordering, .sharing, .commanding, .scrambling:
            []
        // After these faults it is not known what is stored.
        case .tight: [.lostAnswer, .gaveUp, .late, .damagedAnswer, .lyingSize]
        case .sickDisk: [.galleryCall]
        case .sickState: [.diskCall]
        case .folders: [.lostEvents]
        case .late, .wandering, .pruning: [.late]
        case .flickering: [.unreachable, .doubled]
        case .forgetting: [.forgetting, .late, .lyingSize, .damagedRequest]
        case .circling: [.circling]
        }
    }

    /// The kinds of deeds to draw from; some are listed several times to come more often.
    var kinds: [Deed.Kind] {
        switch self {
        case .leavingDisk: [.unmount, .unmount, .create, .rename, .order]
        case .taking:
            [
                .unmount, .unmount, .unmount, .unmount, .takeDisks, .create, .create, .overwrite, .rename, .copy,
                .delete,
                .undelete, .touch, .prune, .crash, .restart, .order,
            ]
        case .sickDisk: [.create, .replace, .order, .restart]
        case .sickState:
            [
                .create, .create, .overwrite, .replace, .revert, .rename, .rename, .delete, .undelete, .copy, .touch,
                .unmount, .crash, .restart, .fullDisk, .clearCache, .cancel, .prune, .configure, .order,
            ]
        case .forbidding:
            [
                .forbid, .forbid, .forbid, .forbid, .create, .create, .overwrite, .replace, .rename, .renameFolder,
                .removeFolder, .hide, .delete, .undelete, .unmount, .crash, .restart, .prune, .bringBack, .order,
            ]
        case .changing: [.overwrite, .overwrite, .replace, .hide, .copy, .delete, .verify]
        case .late: [.overwrite, .overwrite, .replace, .rename, .clock]
        case .reverting: [.revert, .revert, .revert, .revert, .overwrite, .replace, .rename, .crash, .crash]
        case .renaming: [.rename, .rename, .hide, .copy, .crash, .delete, .undelete, .undelete, .bringBack]
        case .wandering: [.rename, .rename, .rename, .copy, .overwrite, .undelete, .crash, .clock]
        case .naming:
            [
                .rename, .rename, .rename, .swap, .copy, .create, .create, .replace, .overwrite, .delete, .undelete,
                .hide, .bringBack, .foreign, .foreign, .prune, .pruneFile, .unmount, .crash, .configure, .order,
            ]
        case .dating:
            [
                .create, .create, .create, .overwrite, .replace, .revert, .rename, .swap, .copy, .delete, .delete,
                .undelete, .hide, .touch, .crash, .loss, .order,
            ]
        case .nesting:
            [
                .create, .create, .create, .replace, .overwrite, .rename, .rename, .rename, .swap, .copy, .delete,
                .undelete, .hide, .unmount, .crash, .loss, .bringBack, .prune, .pruneFile, .command, .order,
            ]
        case .folders:
            [
                .renameFolder, .renameFolder, .renameFolder, .renameFolder, .removeFolder, .create, .create, .rename,
                .overwrite, .undelete, .crash, .order,
            ]
        case .moving:
            [
                .moveRoot, .moveRoot, .moveRoot, .moveRoot, .create, .create, .overwrite, .replace, .rename,
                .renameFolder, .delete, .undelete, .copy, .unmount, .unmount, .crash, .crash, .loss, .restart,
                .configure, .cancel, .order,
            ]
        case .configuring:
            [
                .configure, .configure, .configure, .configure, .create, .overwrite, .rename, .renameFolder, .delete,
                .undelete, .touch, .clearCache, .crash, .cancel, .pruneRoot, .order,
            ]
        case .leavingDestination:
            [
                .configure, .configure, .configure, .create, .create, .overwrite, .replace, .revert, .rename, .rename,
                .delete, .undelete, .copy, .cancel, .disconnect, .crash, .order,
            ]
        case .missing: [.hide, .hide, .hide, .crash, .restart, .create]
        case .pruning:
            [
                .prune, .prune, .pruneFile, .pruneFile, .delete, .delete, .undelete, .bringBack, .rename, .unmount,
                .clock,
            ]
        case .reusing:
            [
                .delete, .delete, .delete, .create, .create, .create, .rename, .copy, .undelete, .bringBack, .crash,
            ]
        case .shuffling:
            [.swap, .rename, .rename, .rename, .delete, .delete, .create, .create, .copy, .undelete, .prune]
        case .bursting:
            [
                .create, .create, .overwrite, .replace, .rename, .rename, .swap, .copy, .delete, .undelete, .touch,
                .renameFolder, .removeFolder,
            ]
        case .flickering:
            [
                .disconnect, .disconnect, .disconnect, .serverRestart, .create, .create, .create, .overwrite, .replace,
                .rename, .rename, .delete, .undelete, .cancel, .restart, .crash, .clock, .order,
            ]
        case .tight: [.create, .overwrite, .replace, .rename, .delete, .copy, .crash, .crash, .clock, .order, .cancel]
        case .cancelling: [.cancel, .cancel, .cancel, .create, .create, .overwrite, .replace, .restart, .clock]
        case .dying: [.crash, .crash, .fullDisk, .create, .overwrite, .rename]
        case .decaying:
            [
                .crash, .crash, .crash, .crash, .create, .overwrite, .overwrite, .revert, .revert, .replace, .rename,
                .delete, .undelete, .order,
            ]
        case .reinstalling:
            [
                .loss, .loss, .loss, .loss, .create, .overwrite, .replace, .rename, .delete, .undelete, .copy, .hide,
                .touch, .clearCache, .unmount, .foreign, .neighbour, .renameFolder, .configure, .crash, .order,
            ]
        case .recovering:
            [
                .crash, .crash, .crash, .loss, .loss, .loss, .command, .create, .overwrite, .revert, .replace, .rename,
                .delete, .delete, .undelete, .copy, .unmount, .order,
            ]
        case .waiting: [.unmount, .unmount, .crash, .crash, .create]
        case .forgetting: [.serverCrash, .order, .create, .overwrite]
        case .circling: [.create, .copy, .order, .rename]
        case .ordering: [.crash, .crash, .restart, .disconnect]
        case .sharing:
            [
                .foreign, .foreign, .foreign, .foreign, .create, .create, .replace, .rename, .configure, .configure,
                .neighbour,
            ]
        case .scrambling: [.crash, .crash, .crash, .restart, .create, .unmount, .hide]
        case .commanding:
            [
                .order, .order, .order, .command, .command, .vandalism, .emptyBucket, .dropBucket, .bringBack, .create,
                .replace, .rename, .delete, .crash, .clock, .clock,
            ]
        }
    }
}

extension Deed {
    /// A kind of deed, as histories draw it.
    enum Kind: Sendable {
        case create, grow, overwrite, replace, revert, touch, rename, swap, hide, copy, delete, undelete
        case renameFolder, removeFolder, moveRoot, unmount, forbid
        case crash, loss, restart, takeDisks, configure, clearCache, disconnect, serverRestart, serverCrash, clock,
            fullDisk
        case neighbour, foreign, vandalism, emptyBucket, dropBucket, bringBack, order, command, prune, pruneRoot,
            pruneFile, cancel,
            verify

        /// The kinds for a history without a theme; some are listed several times to come more often.
        static let usual: [Self] = [
            .create, .grow, .overwrite, .replace, .touch, .rename, .rename, .renameFolder, .removeFolder, .hide, .copy,
            .delete, .undelete, .unmount, .forbid, .crash, .crash, .crash, .crash, .restart, .disconnect,
            .serverRestart, .serverCrash, .clock, .fullDisk, .clearCache, .neighbour, .neighbour, .neighbour, .foreign,
            .vandalism, .dropBucket, .order, .command,
        ]
    }
}
