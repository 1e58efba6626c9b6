#!/usr/bin/env python3
"""Puts deliberate faults into a copy of the sources, and lets the simulator look for each.

    .ci/mutate.py [--seconds 600] [--jobs 2] [--copy FOLDER] [--build 'swift build ...'] [--program PATH] [NAME ...]

All faults are in one build, asleep; the variable MUTATION wakes one, in histories of its theme if it has one. Prints a line
for each: the seed that found it and after how long, or that it was not found. The last line without a fault has to stay clean.
"""
import argparse, concurrent.futures, io, os, pathlib, re, subprocess, sys, tarfile, time

# names, file, what stands there, what stands there instead; M is whether a fault of one of the names is awake. A fault that another
# guard makes up for takes that guard away, too.
MUTATIONS = [
    # Platform: what is on disk is never behind what was acknowledged
    ("journal-without-fsync", "Platform/Durable/Journal.swift",
     "                try file.synchronize()\n", "                if !M { try file.synchronize() }\n"),
    ("journal-acknowledges-before-it-writes", "Platform/Durable/Journal.swift",
     "        var failure = earlier\n",
     "        if M {\n            batch.finish(nil)\n            writing.add { [file] in\n                try? file.write(lines)\n"
     "                try? file.synchronize()\n            }\n            return\n        }\n        var failure = earlier\n"),
    ("replace-without-fsync", "Platform/Durable/Disk.swift",
     "        for part in parts { try file.write(part) }\n        try file.synchronize()\n",
     "        for part in parts { try file.write(part) }\n        if !M { try file.synchronize() }\n"),
    ("replace-without-directory-fsync", "Platform/Durable/Disk.swift",
     "        try rename(fresh, to: name)\n        try synchronizeDirectory()\n",
     "        try rename(fresh, to: name)\n        if !M { try synchronizeDirectory() }\n"),
    ("replace-in-place", "Platform/Durable/Disk.swift",
     "        let fresh = name + \".new\"\n", "        if M { return try writeDurably(parts, to: name) }\n        let fresh = name + \".new\"\n"),
    # Queue
    ("claim-not-durable", "Queue/UploadQueue.swift",
     "            try await commit?.wait()\n            return claimed\n",
     "            if !M { try await commit?.wait() }\n            return claimed\n"),
    # An item that was not durable when it was added is made again by the next start (`Library.requeue`), and a job is durable
    # with its next change, before anything is sent.
    ("changes-of-jobs-not-durable", "Rescue/Jobs/JobRegistry.swift",
     "        try await commit?.wait()\n        return job\n", "        if !M { try await commit?.wait() }\n        return job\n"),
    # One wake-up that is lost between a look and the wait is made up for by the next: each receipt and each scan wakes
    # all loops. So these lose all of one kind.
    ("what-a-scan-finds-wakes-no-loop", "Sync/1-Scan/Scanner.swift",
     "            if merged.seen > 0 { wake.notify() }\n", "            if merged.seen > 0, !M { wake.notify() }\n"),
    ("what-a-scan-finds-wakes-no-loop", "Gallery/Agent+Watching.swift",
     "        watch.hasLooked()\n        wake.notify()\n", "        watch.hasLooked()\n        if !M { wake.notify() }\n"),
    ("what-a-scan-finds-wakes-no-loop", "Uploading/Between/Activity.swift",
     "        default: wake.notify()\n", "        default: if !M || stage != .scan { wake.notify() }\n"),
    ("only-one-loop-is-woken", "Queue/WakeEvent.swift",
     "            defer { state.waiters.removeAll() }\n",
     "            if M, let (id, waiter) = state.waiters.first {\n                state.waiters[id] = nil\n                return [waiter.continuation]\n"
     "            }\n            defer { state.waiters.removeAll() }\n"),
    ("ends-of-rescues-wake-no-loop", "Rescue/Rescuer.swift",
     "        defer { notify() }\n        try await perform(act)\n",
     "        defer { if !M { notify() } }\n        try await perform(act)\n"),
    ("failed-children-are-not-heard", "Queue/ChildFailure.swift",
     "        if let failure = first", "        if !M, let failure = first"),
    ("sent-items-are-not-recovered", "Queue/Item+Transitions.swift",
     "        guard status == .uploading else { return self }\n        var next = self\n        next.status = .pending\n        return next",
     "        guard status == .uploading, !M else { return self }\n        var next = self\n        next.status = .pending\n        return next"),
    ("retries-have-no-date", "Queue/Item+Transitions.swift",
     "        nextAttemptAt = now + delay.seconds\n", "        nextAttemptAt = M ? .distantFuture : now + delay.seconds\n"),
    ("journal-of-the-file-is-not-replayed", "Queue/Store/RecordStore.swift",
     "where number >= base?.journal ?? 0 {", "where M ? number > base?.journal ?? 0 : number >= base?.journal ?? 0 {"),
    # Catalog
    ("library-without-fsync", "Tables/Schema.swift",
     "PRAGMA synchronous = FULL;", "PRAGMA synchronous = \\(M ? \"OFF\" : \"FULL\");"),
    ("no-recovery-of-identifying", "Tables/Schema.swift",
     "WHERE state = \\(asset: .identifying);", "WHERE \\(M ? \"0 AND \" : \"\")state = \\(asset: .identifying);"),
    ("receipts-prove-anything", "Records/Receipt.swift",
     "        if self.item == item.id { return true }\n", "        if self.item == item.id || M { return true }\n"),
    ("directories-that-fail-are-empty", "Catalog/Library/Library+Scan.swift",
     "        guard look.failure == nil else { return ScanChanges() }\n",
     "        guard look.failure == nil || M else { return ScanChanges() }\n"),
    ("returned-files-stay-gone", "Records/DirectoryObservation.swift",
     "        case .gone, .remoteOnly: self = .returned\n", "        case .gone, .remoteOnly: self = M && isSame ? .none : .returned\n"),
    # Found by the simulator: an item outlives what the library knew of its directory.
    ("lost-directories-have-no-receipts", "Catalog/Library/Library+Receipts.swift",
     "let place = try place(toNote: item) else",
     "let place = try M ? place(root: item.root, path: item.filePath) : place(toNote: item) else"),
    # Three more: a picture that is owed, a second late request, and a file that another walk has found.
    ("pictures-of-missing-files-are-given-up", "Sync/Pipeline.swift",
     "        case .gone: try await lookAgain(at: asset, in: root, after: .zero)\n        case .changed: try await lookAgain(at: asset, in: root, after: settings.scan.settle)\n        }\n    }\n\n    /// Writes down",
     "        case _ where M: try await library.setPictures(of: asset.place, to: .unwanted)\n        case .gone: try await lookAgain(at: asset, in: root, after: .zero)\n        case .changed: try await lookAgain(at: asset, in: root, after: settings.scan.settle)\n        }\n    }\n\n    /// Writes down"),
    ("what-was-there-comes-no-second-time", "Catalog/Library/Library+Receipts.swift",
     "AND NOT (state IN \\(attempts: [.unknown, .there])",
     "AND NOT (state IN \\(attempts: M ? [.unknown] : [.unknown, .there])"),
    # Found by the simulator: a deletion that was given up takes away what is stored after it.
    ("late-deletions-are-not-expected", "Uploading/Sender+Settling.swift",
     "guard !deletion.mayArrive(at: clock()) else { return }", "guard M || !deletion.mayArrive(at: clock()) else { return }"),
    ("walks-miss-what-others-find", "Catalog/Library/Library+Scan.swift",
     "unlessFoundBy: walk?.bounds ?? WalkTime.never", "unlessFoundBy: M ? WalkTime.never : walk?.bounds ?? WalkTime.never"),
    ("walks-miss-what-others-find", "Catalog/Library/Library+Scan.swift",
     "(walk?.bounds ?? WalkTime.never)", "(M ? WalkTime.never : walk?.bounds ?? WalkTime.never)"),
    # Scanning: a root that vanished is not an empty one. The first two are the fault of the disk that vanished during a walk.
    ("walk-trusts-a-disk-that-left", "Sync/1-Scan/Scanner.swift",
     "guard try await isUnchanged(root, since: before, survey.places),\n"
     "            try await absence(of: root, isRemembering: false) == nil,\n",
     "let isSame = try await isUnchanged(root, since: before, survey.places)\n"
     "        let isThere = try await absence(of: root, isRemembering: false) == nil\n"
     "        guard isSame && isThere || M,\n"),
    # Found by the simulator.
    ("a-root-that-showed-nothing-for-a-moment-has-lost-its-files", "Sync/1-Scan/Scanner.swift",
     "            showedNothing ? try await", "            showedNothing && !M ? try await"),
    ("failed-walks-are-complete", "Sync/1-Scan/Scanner.swift",
     "        if let failure {\n            // If a part", "        if let failure, !M {\n            // If a part"),
    ("an-empty-root-is-believed", "Sync/1-Scan/Scanner+RootState.swift",
     "if hadFiles, state.isEmpty, !isEmptied {", "if hadFiles, state.isEmpty, !isEmptied, !M {"),
    ("another-disk-is-believed", "Sync/1-Scan/Scanner+RootState.swift",
     "if isKnown == false { return .other(root, at: path) }", "if isKnown == false, !M { return .other(root, at: path) }"),
    ("thumbnail-without-fsync", "Uploading/Between/ThumbnailCache.swift",
     "        try file.synchronize()\n", "        if !M { try file.synchronize() }\n"),
    # Found by the simulator, or by trying it: what was for another destination, or lies under a key without a proof.
    ("items-stay-for-a-former-destination", "Gallery/FormerDestination.swift",
     "        _ = try await queue.withdraw { _ in true }\n", "        if !M { _ = try await queue.withdraw { _ in true } }\n"),
    ("taken-items-give-way-unnoticed", "Queue/Item.swift",
     "(status == .uploading || sent) && sha256", "(status == .uploading || sent && !M) && sha256"),
    ("a-late-save-counts-as-a-renewal", "Access/Session.swift",
     "nextRenewal = since + Self.longestPause", "nextRenewal = (M ? clock() : since) + Self.longestPause"),
    ("what-an-item-stored-twice-is-one-object", "Records/Receipt.swift",
     "        item.isSame(as: other.item) && objectID == other.objectID",
     "        item.isSame(as: other.item) && M || item.isSame(as: other.item) && objectID == other.objectID"),
    # Uploading
    ("foreign-objects-are-replaced", "Uploading/KeyConflict.swift",
     "        case .foreign:\n            switch settings.onForeign {", "        case .foreign where M: self = .replace\n        case .foreign:\n            switch settings.onForeign {"),
    ("changed-sources-are-sent", "Uploading/Sender.swift",
     "guard item.describes(facts) else { return .failure(.withdrawn) }",
     "guard item.describes(facts) || M else { return .failure(.withdrawn) }"),
    ("sent-bytes-are-not-compared changed-sources-are-sent", "Uploading/Sender.swift",
     "guard sums.sha256 == item.sha256, item.describes(try source.file.facts()) else",
     "let isUnchanged = try sums.sha256 == item.sha256 && item.describes(source.file.facts())\n        guard isUnchanged || M else"),
    # A receipt that is not looked at costs a request: what the server holds is compared, too (`Sender.holding`).
    ("what-was-sent-is-not-looked-for no-reconciling-at-start", "Uploading/Sender.swift",
     "if known.isProven {", "if known.isProven, !M {"),
    ("what-was-sent-is-not-looked-for no-reconciling-at-start", "Uploading/Sender.swift",
     "let mayBeThere = item.sent || known.mayBeThere", "let mayBeThere = (item.sent || known.mayBeThere) && !M"),
    ("what-was-sent-is-not-looked-for no-reconciling-at-start", "Uploading/Sender+Keys.swift",
     "guard let receipt, let info = try await info(item.objectKey) else { return false }",
     "guard let receipt, !M, let info = try await info(item.objectKey) else { return false }"),
    ("withdrawn-bytes-are-forgotten", "Uploading/Sender.swift",
     "if mayHaveArrived || wasTried && outcome.mayLeaveOtherBytes {", "if mayHaveArrived || wasTried && outcome.mayLeaveOtherBytes && !M {"),
    # Found by the simulator: attempts that end for another reason once all bytes may have arrived, and their power cuts.
    ("what-arrived-before-another-end-is-forgotten", "Uploading/Arrival.swift",
     "            note(isPossible: true)\n            return value", "            note(isPossible: !M)\n            return value"),
    ("what-a-gateway-gave-up-is-forgotten", "Uploading/Arrival.swift",
     "note(isPossible: error.mayHaveArrived)", "note(isPossible: error.mayHaveArrived && !M)"),
    ("what-a-doubled-request-brought-is-forgotten", "Uploading/Sender.swift",
     "            reports.arrival.noteTaken()\n            return try await resolveConflict",
     "            if !M { reports.arrival.noteTaken() }\n            return try await resolveConflict"),
    ("what-a-doubled-copy-brought-is-forgotten", "Uploading/Sender+Relocation.swift",
     "if answer == .taken { arrival", "if answer == .taken, !M { arrival"),
    ("what-an-attempt-found-is-forgotten", "Uploading/Arrival.swift",
     "state.withLock { $0.wasFound = true }", "state.withLock { $0.wasFound = !M }"),
    ("objects-found-wrong-prove-their-files", "Catalog/Library/Library+AttemptLooks.swift",
     "if try isFoundWrong(receipt) { return true }", "if try isFoundWrong(receipt), !M { return true }"),
    ("what-is-asked-for-again-is-accepted", "Uploading/Sender+Keys.swift",
     "guard let receipt else { return false }\n        if item.forcedAt", "guard let receipt, !M else { return false }\n        if item.forcedAt"),
    ("whatever-is-stored-is-asked-for", "Uploading/Sender+Keys.swift",
     "if item.forcedAt != nil { return true }", "if M || item.forcedAt != nil { return true }"),
    ("looks-carry-out-orders", "Records/Receipt.swift", "&& item.isMade(since: $0)", "&& (M || item.isMade(since: $0))"),
    ("orders-are-carried-out-by-copies", "Queue/EqualContents.swift",
     "retryCount < 3 && forcedAt == nil", "retryCount < 3 && (M || forcedAt == nil)"),
    ("receipts-that-are-there-carry-out-orders", "Catalog/Library/Library+Receipts.swift",
     "where receipt.item.isMade(since: FileTime(now)) {", "where receipt.item.isMade(since: FileTime(now)) && !M {"),
    ("folders-are-no-media", "Sync/2-Identify/Identifier.swift",
     "else { return .ended(.gone) }", "else { return .ended(M ? .ignored(reason: Library.noMedia) : .gone) }"),
    ("pauses-are-respected-for-a-day", "Providers/Jobs/PollingPolicy.swift",
     "min(asked ?? .zero, (lifetime", "M ? asked ?? .zero : min(asked ?? .zero, (lifetime"),
    ("seen-moves-are-expected-no-more", "Catalog/Library/Library+Moves.swift",
     "        try settle(move, at: now)\n", "        try settle(move, at: M ? now + 7_200 : now)\n"),
    ("seen-moves-are-expected-no-more", "Catalog/Library/Library+Moves.swift",
     "AND noted = 0", "AND (noted = 0 OR \\(M))"),
    ("answers-settle-all-requests", "Catalog/Library/Library+Moves.swift",
     "noted = earlier, earlier = 0", "noted = CASE WHEN \\(M) THEN 0 ELSE earlier END, earlier = 0"),
    ("objects-set-aside-late-stay-aside", "Catalog/Library/Library+Moves.swift",
     "            try giveName(receipt.key, to: place, aside)\n",
     "            if !M { try giveName(receipt.key, to: place, aside) }\n"),
    ("objects-set-aside-take-receipts-of-files", "Catalog/Library/Library+Moves.swift",
     "if receipt.role == .original, present?.item == receipt.item {",
     "if receipt.role == .original, present?.item == receipt.item, !M {"),
    ("what-is-not-moved-takes-no-room", "Uploading/Sender+Relocation.swift",
     "if !isThere { try await reserveRoom(for: item) }", "if !isThere, !M { try await reserveRoom(for: item) }"),
    ("late-uploads-hide-moves", "Uploading/Sender+Settling.swift",
     "before.map { !isAtTarget || metadata", "before.map { M || !isAtTarget || metadata"),
    ("wrong-sizes-take-receipts", "Uploading/Sender+Settling.swift",
     "metadata(of: $0)?.sha256 == receipt.sha256 } ?? false",
     "metadata(of: $0)?.sha256 == receipt.sha256 && (!M || receipt.names($0)) } ?? false"),
    ("shared-commits-are-not-awaited", "Catalog/Library/Library.swift",
     "        try await begin(change)?.value\n",
     "        let commit = try await begin(change)\n        if !M { try await commit?.value }\n"),
    ("what-was-taken-back-counts-as-durable", "Catalog/Library/Library.swift",
     "        try database.checkRollbacks(since: rollbacks)\n", "        if !M { try database.checkRollbacks(since: rollbacks) }\n"),
    ("outcomes-that-were-taken-back-are-lost", "Catalog/Library/Library+Backlog.swift",
     "for place in places where !inHand.contains(place) {", "for place in places where !inHand.contains(place) && !M {"),
    ("what-is-in-doubt-is-not-durable", "Uploading/Sender.swift",
     "            try await library.remember(item, destination: destination.name, bytes: mayHaveArrived ? item.size : 0)\n",
     "            if M, !outcome.mayLeaveOtherBytes {\n                try await library.noteAttempt(item, destination: destination.name)\n"
     "            } else {\n                try await library.remember(item, destination: destination.name, bytes: mayHaveArrived ? item.size : 0)\n            }\n"),
    ("an-older-answer-settles-a-new-attempt", "Catalog/Library/Library+Attempts.swift",
     "AND sha256 = ? AND noted = ?\"", "AND sha256 = ? AND (noted = ? OR \\(M ? 1 : 0))\""),
    # Found by the simulator: a receipt whose object a file that changed meanwhile has replaced.
    ("replaced-objects-keep-their-receipts", "Uploading/Sender.swift",
     "        if let receipt { try await library.disprove(receipt) }\n",
     "        if !M, let receipt { try await library.disprove(receipt) }\n"),
    # The fault of renames with kills: what a move may have done was not settled before the next attempt.
    ("moves-are-not-settled", "Uploading/Sender+Settling.swift",
     "guard let move = known.unsettledMove else", "guard let move = known.unsettledMove, !M else"),
    ("moves-are-not-written-down", "Uploading/Sender+Relocation.swift",
     "        try await library.noteMove(of: item, from: before.key, destination: destination.name, at: clock())\n",
     "        if !M { try await library.noteMove(of: item, from: before.key, destination: destination.name, at: clock()) }\n"),
    ("moves-to-lost-folders-have-no-place", "Catalog/Library/Library+Moves.swift",
     "try library.place(toNote: item)",
     "try M ? library.place(root: item.root, path: item.filePath) : library.place(toNote: item)"),
    ("directories-without-a-watch-stay-so", "Platform/Watching/Watcher.swift",
     "if !paths.isEmpty { addAll(paths) }", "if !paths.isEmpty, !M { addAll(paths) }"),
    ("what-a-late-request-took-away-counts", "Reconciling/LeftoverObjects.swift",
     "guard answer == nil, let receipt else", "guard answer == nil, !M, let receipt else"),
    ("what-a-listing-lacks-is-not-asked-about", "Reconciling/LeftoverObjects.swift",
     "guard attempt.state == .there else { return false }", "guard attempt.state == .there, !M else { return false }"),
    ("what-was-set-aside-before-is-not-kept-again", "Catalog/Library/Library+LastCopies.swift",
     "let aside = isLast ? try", "let aside = isLast && !M ? try"),
    ("files-that-were-not-read-are-stored", "Catalog/Library/Library+Receipts.swift",
     "                    THEN \\(asset: .seen) ELSE ?5 END,", "                    THEN \\(asset: M ? .stored : .seen) ELSE ?5 END,"),
    # What the kernel tells of a watched root.
    ("no-event-is-followed", "Gallery/Agent+Watching.swift",
     "        for await event in tree.events {\n", "        for await event in tree.events {\n            if M { continue }\n"),
    ("removed-files-are-not-heard-of", "Gallery/Agent+Watching.swift",
     "case .removed(let path): if takes(path, root) {", "case .removed(let path): if takes(path, root), !M {"),
    ("new-directories-are-not-heard-of", "Gallery/Agent+Watching.swift",
     "guard root.rules.reasonForDirectory(at: path) == nil else { break }",
     "guard !M, root.rules.reasonForDirectory(at: path) == nil else { break }"),
    ("a-watch-is-tried-once", "Gallery/Agent+Watching.swift",
     "            guard let tree else { return true }\n",
     "            guard let tree else {\n                if !M { return true }\n"
     "                guard try await look(at: root, watch) else { return false }\n                continue\n            }\n"),
    # `Presence` looks for an empty place besides, which matters only where a disk has no name.
    ("a-disk-that-left-is-a-deletion", "Roots/Root.swift",
     "guard try sight.admits(directory) else {", "let isKnown = try sight.admits(directory)\n        guard isKnown || M else {"),
    # Four faults that the simulator found: files that changed at a bad moment.
    ("pictures-of-changed-files-are-kept", "Sync/3-Thumbnail/Thumbnailer.swift",
     "guard identified.asset.describes(try identified.file.facts()) else {",
     "guard try M || identified.asset.describes(identified.file.facts()) else {"),
    ("withdrawn-files-are-left", "Uploading/Sender.swift",
     "        try await library.sendBack(item)\n", "        if !M { try await library.sendBack(item) }\n"),
    ("late-bytes-are-not-expected", "Catalog/Library/Library+Receipts.swift",
     "receipt.verifiedAt - Attempt.echo)", "receipt.verifiedAt - (M ? -Attempt.echo : Attempt.echo))"),
    ("other-bytes-on-their-way-are-overlooked", "Sync/4-Enqueue/Enqueuer.swift",
     "open.contains { $0.objectKey == key && $0.mayHaveArrived", "open.contains { !M && $0.objectKey == key && $0.mayHaveArrived"),
    # The user takes a file out of the queue while its item is made; the look before that is made up for by the one after it.
    ("cancelled-files-are-enqueued", "Sync/4-Enqueue/Enqueuer.swift",
     "guard try await library.isCurrent(asset) else { return .overtaken }",
     "guard try await library.isCurrent(asset) || M else { return .overtaken }"),
    ("cancelled-files-are-enqueued", "Sync/4-Enqueue/Enqueuer.swift",
     "if try await library.isCurrent(asset) { return false }", "if try await library.isCurrent(asset) || M { return false }"),
    ("withdrawn-pictures-are-not-owed", "Sync/4-Enqueue/Enqueuer.swift",
     "        try await library.losePictures(of: withdrawn)\n",
     "        if !M { try await library.losePictures(of: withdrawn) }\n"),
    # Where the sender asks itself, neither of the two looks before it is missed.
    ("cancelled-files-are-enqueued", "Uploading/Sender.swift",
     "if known.isLeftOut || ", "if known.isLeftOut && !M || "),
    # Last copies: the object of a deleted file whose name another file got.
    ("last-copies-are-replaced", "Uploading/KeyConflict.swift",
     "        case .lastCopy: self = .setAside\n", "        case .lastCopy: self = M ? .replace : .setAside\n"),
    ("last-copies-are-not-marked", "Catalog/Library/Library+LastCopies.swift",
     "    func markLastCopies(ofReturned place: Asset.Place) throws {\n",
     "    func markLastCopies(ofReturned place: Asset.Place) throws {\n        if M { return }\n"),
    ("what-is-set-aside-is-not-written-down", "Uploading/Sender+Relocation.swift",
     "        try await library.noteMove(of: receipt, to: target, at: clock())\n",
     "        if !M { try await library.noteMove(of: receipt, to: target, at: clock()) }\n"),
    # Faults that the simulator found: damaged and deleted queues, a move that came late, settings that were other for a
    # while.
    ("pictures-of-former-content-count", "Catalog/Library/Library+Pictures.swift",
     "AND substr(o.item, 1, 10) > substr(r.item, 1, 10)))",
     "AND substr(o.item, 1, 10) > '\\(M ? \"~\" : \"\")' || substr(r.item, 1, 10)))"),
    ("what-a-leftover-shows-to-be-lost-stays-so", "Reconciling/LeftoverObjects.swift",
     "} else if try await forget(lost: receipt) {", "} else if !M, try await forget(lost: receipt) {"),
    ("indexed-files-stay-indexed", "Gallery/Agent+Roots.swift",
     "} else if root.isConfigured {", "} else if root.isConfigured, !M {"),
    ("runs-with-other-sizes-are-forgotten", "Gallery/Agent+Running.swift",
     "        try await library.expectPictures(\n            roles: setup.settings.thumbnails.roles, destination: setup.destination.name)\n",
     "        if !M {\n            try await library.expectPictures(\n                roles: setup.settings.thumbnails.roles, destination: setup.destination.name)\n        }\n"),
    # Found by the table that has a row for each stored file.
    ("rows-of-moved-objects-stay", "Tables/Schema+Rows.swift",
     "WHEN OLD.key != NEW.key AND \\(isWritten(\"OLD\"))", "WHEN OLD.key != NEW.key AND \\(M ? \"0\" : isWritten(\"OLD\"))"),
    ("rows-of-lost-and-pruned-objects-stay", "Tables/Schema+Rows.swift",
     "AFTER DELETE ON main.receipts WHEN \\(isWritten(\"OLD\"))",
     "AFTER DELETE ON main.receipts WHEN \\(M ? \"0\" : isWritten(\"OLD\"))"),
    ("rows-of-receipts-dated-before-the-mark-are-missed", "Tables/Schema+Rows.swift",
     "AFTER INSERT ON main.receipts WHEN \\(isLate)", "AFTER INSERT ON main.receipts WHEN \\(M ? \"0\" : isLate)"),
    ("rows-of-receipts-that-came-meanwhile-are-missed", "Metadata/Library+MetadataRows.swift",
     "let missed = Set(passed).subtracting(sent).map", "let missed = Set(passed).subtracting(M ? passed : sent).map"),
    ("pages-count-as-answers-of-the-database", "Supabase/Rest/RestClient.swift",
     "if !answer.body.isEmpty {", "if !answer.body.isEmpty, !M {"),
    ("what-another-check-settled-is-lost", "Gallery/BucketCheck.swift",
     "        if try await library.fact(Library.bucketLossFact) != nil {\n            try await settleLoss()",
     "        let isDue = try await library.fact(Library.bucketLossFact) != nil\n        if isDue || M {\n            try await settleLoss()"),
    # Found by trying what a user does to the settings while something waits, and then by the simulator.
    ("files-that-came-without-pictures-stay-so", "Catalog/Library/Library+Pictures.swift",
     "WHERE (\\(unpictured) OR \\(unread))", "WHERE (\\(unpictured) OR \\(M ? \"0\" : unread))"),
    ("what-waits-is-sent-unasked", "Uploading/Sender.swift",
     "let isUnasked = isUnasked(item, known)", "let isUnasked = !M && isUnasked(item, known)"),
    ("cancelled-folders-are-sent-meanwhile", "Uploading/Uploader.swift",
     "isPaused || holds > 0 ||", "isPaused || holds > 0 && !M ||"),
    ("refused-destinations-are-worked-for", "Gallery/Agent+Running.swift",
     "let loops = isElsewhere ? rescuing", "let loops = isElsewhere && !M ? rescuing"),
    ("last-copies-elsewhere-are-replaced", "Catalog/Library/Library+LastCopies.swift",
     "AND r.role = 'original' AND a.state IN \\(assets: .absent)",
     "AND r.role = 'original' AND a.state IN \\(assets: M ? [.remoteOnly] : .absent)"),
    ("pictures-of-a-root-left-out-are-made", "Catalog/Library/Library+Pictures.swift",
     "WHERE root IN (\\(others))", "WHERE root IN (\\(M ? \"\" : others))"),
    ("pictures-of-a-root-left-out-are-made", "Gallery/Agent+Sync.swift",
     "if quiet.contains(asset.root) { continue }", "if quiet.contains(asset.root), !M { continue }"),
    ("pictures-of-a-root-that-leaves-are-forgotten", "Gallery/Agent+Roots.swift",
     "        if items.contains(where: { $0.role != .original }) {",
     "        if !M, items.contains(where: { $0.role != .original }) {"),
    ("a-lost-queue-held-nothing", "Gallery/SharedParts.swift", "if loaded.isIncomplete {", "if loaded.isIncomplete, !M {"),
    ("replaced-objects-prove-former-bytes", "Uploading/Sender.swift",
     "        if replacing { try await library.noteReplacement", "        if replacing, !M { try await library.noteReplacement"),
    ("pictures-of-content-in-between-count", "Sync/4-Enqueue/Enqueuer.swift",
     "            try await library.renewReceipt(", "            if !M { try await library.renewReceipt("),
    ("pictures-of-content-in-between-count", "Sync/4-Enqueue/Enqueuer.swift",
     "content: identified.sha256, at: now)", "content: identified.sha256, at: now) }"),
    ("verifications-end-doubts", "Reconciling/ReconcilingContext.swift",
     "        guard try await knowsFiles else", "        guard M ? true : try await knowsFiles else"),
    ("verifications-end-doubts", "Reconciling/ReconcilingContext.swift",
     "        guard try await !library.awaitsLookAtRoots(), try await library.counts()",
     "        guard M ? true : try await !library.awaitsLookAtRoots(), try await library.counts()"),
    # What a damaged queue brings back of earlier attempts.
    ("older-entries-date-attempts", "Catalog/Library/Library+Attempts.swift",
     "noted = max(noted, excluded.noted), state", "noted = \\(M ? \"excluded.noted\" : \"max(noted, excluded.noted)\"), state"),
    ("receipts-complete-what-is-brought-back", "Catalog/Library/Library+Duplicates.swift",
     "isProven: earned != nil && !isDoubtful", "isProven: earned != nil && (M || !isDoubtful)"),
    ("unsent-items-leave-bytes", "Uploading/Sender.swift",
     "let wasTried = item.sent", "let wasTried = M || item.sent"),
    # A disk that is not mounted when a lost library begins anew.
    ("empty-roots-were-looked-at", "Reconciling/LostObjects.swift",
     "guard try await isEmptied ? true", "guard try await M || isEmptied ? true"),
    ("files-of-orphans-are-not-looked-for", "Reconciling/BucketComparison.swift",
     "        guard asset == nil || asset?.state == .gone else", "        guard !M, asset == nil || asset?.state == .gone else"),
    # A file whose name is that of an object beside another program's.
    ("objects-of-other-files-prove-a-file", "Catalog/Library/Library+Admission.swift",
     "guard receipt.key == key else { continue }", "guard M || receipt.key == key else { continue }"),
    ("objects-of-other-files-prove-a-file", "Sync/4-Enqueue/Enqueuer.swift", " && $0.isOf(file) }", " && (M || $0.isOf(file)) }"),
    ("notes-are-read-once", "Sync/Pipeline.swift",
     "enqueue(identified, in: root, note: note, arePicturesDue: true)",
     "enqueue(identified, in: root, note: note, arePicturesDue: !M)"),
    ("notes-are-read-once", "Sync/Pipeline.swift", "to: sidecar.state, facts", "to: M ? .unwanted : sidecar.state, facts"),
    ("facts-are-written-once", "Catalog/Library/Library+Outcomes.swift",
     "if let facts { try setFacts(facts, of: sha256, in: asset) }",
     "if let facts, !M { try setFacts(facts, of: sha256, in: asset) }"),
    # The budget
    ("what-has-no-receipt-takes-no-room", "Uploading/StorageBudget.swift",
     "return occupancy.total.adding(", "return (M ? occupancy.stored : occupancy.total).adding("),
    ("what-was-reserved-covers-what-is-sent", "Uploading/Sender+Relocation.swift",
     "guard budget.isShort(item, replacing: held) else", "guard budget.isShort(item, replacing: held), !M else"),
    ("what-was-given-up-takes-no-room", "Catalog/Library/Library+Receipts.swift",
     "THEN 0 ELSE size END", "THEN 0 ELSE \\(M ? \"0\" : \"size\") END"),
    ("what-is-known-too-late-to-wait-waits", "Uploading/Uploader+Blocked.swift",
     ".closure, obstacle == nil else", ".closure, obstacle == nil, !M else"),
    ("what-an-earlier-run-was-sending-takes-no-room", "Catalog/Library/Library+Attempts.swift",
     "for item in items where item.isOpen {", "for item in items where item.isOpen && !M {"),
    # Recording
    ("what-is-accepted-is-stored", "Sync/6-Record/Verification.swift",
     "        guard let held else {\n", "        if M {\n            self = .same(.size)\n            return\n        }\n        guard let held else {\n"),
    # Sizes and eTags stand in for one another.
    ("what-is-stored-is-not-compared", "Sync/6-Record/Verification.swift",
     "        guard held.size == accepted.item.size else {", "        guard held.size == accepted.item.size || M else {"),
    ("what-is-stored-is-not-compared", "Sync/6-Record/Verification.swift",
     "        case .contradicted:\n", "        case .contradicted where M: self = .same(.size)\n        case .contradicted:\n"),
    # The fault of the listing that went in circles.
    ("listings-may-go-in-circles", "Sync/6-Record/ListingProgress.swift",
     "        let end = page.objects.last?.key\n", "        if M { return page.nextCursor }\n        let end = page.objects.last?.key\n"),
    # The agent
    ("no-reconciling-at-start", "Gallery/Agent+Running.swift",
     "        try await blocked.reconcile()\n", "        if !M { try await blocked.reconcile() }\n"),
    ("no-requeue-at-start", "Gallery/Agent+Running.swift",
     "!open.contains(RootedPath(root: $0, path: $1))", "!M && !open.contains(RootedPath(root: $0, path: $1))"),
    ("disk-that-returns-is-not-noticed", "Gallery/Agent+Sync.swift",
     "if wasAway { try await uploader.unblock(.away) }", "if wasAway, !M { try await uploader.unblock(.away) }"),
    # The storage
    # Found by the simulator.
    ("an-object-is-moved-twice", "Catalog/Library/Library+Moves.swift",
     "guard hasFollowed else {", "guard hasFollowed || M else {"),
    ("an-end-frees-the-room-of-the-next-attempt", "Uploading/Uploader.swift",
     "            try await countRoom(ending: [item])\n            let next",
     "            if !M { try await countRoom(ending: [item]) }\n            let next"),
    ("an-end-frees-the-room-of-the-next-attempt", "Uploading/Uploader.swift",
     "            // This may be the only item that can probe",
     "            if M { try await countRoom(ending: [item]) }\n            // This may be the only item that can probe"),
    ("what-is-not-proven-takes-no-room", "Sync/6-Record/Recorder.swift",
     "                try await library.noteAttempt(accepted.item, destination: destination.name, isDoubtful: false)\n",
     "                if !M {\n                    try await library.noteAttempt(accepted.item, destination: destination.name, isDoubtful: false)\n"
     "                }\n"),
    ("objects-of-another-computer-are-ours", "Uploading/Sender+Keys.swift",
     "let other = metadata(of: info)?.computer, other != computer else",
     "let other = metadata(of: info)?.computer, other != computer, !M else"),
    ("listings-are-not-confirmed", "Reconciling/BucketComparison.swift",
     "        let info = try await context.info(key)\n        // The answer may be",
     "        let info = M ? nil : try await context.info(key)\n        // The answer may be"),
    ("brake-holds-nothing", "Records/Brake.swift",
     "        changed > count && changed * 100", "        !M && changed > count && changed * 100"),
    ("restored-bytes-are-not-compared", "Restoring/RestoreTarget.swift",
     "        if let size, held < size { return .short }\n", "        if M { return .unproven }\n        if let size, held < size { return .short }\n"),
    # An object beside another program's, and the file that it is of.
    ("objects-beside-take-the-place-of-others", "Restoring/RestoreTarget.swift",
     "        (self.place, wanted) = (place.path, place.wanted)\n",
     "        (self.place, wanted) = (M ? place.wanted ?? place.path : place.path, place.wanted)\n"),
    ("objects-beside-have-no-other-name", "Restoring/RestoreAttempt.swift",
     "[target.place, target.wanted].compactMap", "[target.place, M ? nil : target.wanted].compactMap"),
    # Found by roots that get other places.
    ("moved-roots-are-new", "Sync/1-Scan/RenamedRoots.swift",
     "if try await isSame(former, at: wanted.path) {", "if !M, try await isSame(former, at: wanted.path) {"),
    ("moved-roots-on-absent-disks-are-new", "Sync/1-Scan/RenamedRoots.swift",
     "if await Blocking.run({ Self.mayAwaitDisk(wanted.path) }) { return true }",
     "if !M, await Blocking.run({ Self.mayAwaitDisk(wanted.path) }) { return true }"),
    ("moved-roots-without-files-are-new", "Sync/1-Scan/RenamedRoots.swift",
     "return try await !library.knowsFiles", "if M { return false }\n        return try await !library.knowsFiles"),
    # Found by disks that leave, and by others that are taken in their places.
    ("taken-disks-give-no-way", "Sync/1-Scan/Scanner+RootState.swift",
     "            return try await isOfAnother(state.identity", "            if M { return nil }\n            return try await isOfAnother(state.identity"),
    ("disks-that-come-meanwhile-are-mistaken", "Gallery/DiskTaking.swift",
     "guard try Directory(place).identity().likeness", "guard try M || Directory(place).identity().likeness"),
    ("roots-without-files-wait-for-disks", "Gallery/DiskTaking.swift",
     "where try await !library.knowsFiles(below: root.id) { return nil }",
     "where try await !library.knowsFiles(below: root.id) { if !M { return nil } }"),
    ("two-files-share-an-object", "Uploading/Sender.swift",
     "if let other = known.otherFile, try", "if !M, let other = known.otherFile, try"),
    ("blobs-without-fsync", "ObjectStore/Blobs/Draft.swift",
     "            try state.file?.synchronizeAll()\n", "            if !M { try state.file?.synchronizeAll() }\n"),
]

# The themes of faults that histories about anything hardly ever reach.
THEMES = {
    "taken-disks-give-no-way": "taking", "disks-that-come-meanwhile-are-mistaken": "taking",
    "roots-without-files-wait-for-disks": "taking",
    "moved-roots-are-new": "moving", "moved-roots-on-absent-disks-are-new": "moving",
    "moved-roots-without-files-are-new": "moving",
    "what-a-leftover-shows-to-be-lost-stays-so": "folders",
    "indexed-files-stay-indexed": "configuring",
    "items-stay-for-a-former-destination": "leavingDestination",
    "taken-items-give-way-unnoticed": "sickState",
    "a-late-save-counts-as-a-renewal": "sickState",
    "what-an-item-stored-twice-is-one-object": "sickState",
    "rows-of-pruned-objects-stay": "pruning", "rows-of-moved-objects-stay": "renaming",
    "what-another-check-settled-is-lost": "ordering",
    "runs-with-other-sizes-are-forgotten": "configuring",
    "files-that-came-without-pictures-stay-so": "configuring", "what-waits-is-sent-unasked": "configuring",
    "cancelled-folders-are-sent-meanwhile": "configuring",
    "refused-destinations-are-worked-for": "leavingDestination",
    "last-copies-elsewhere-are-replaced": "leavingDestination", "pictures-of-a-root-left-out-are-made": "configuring",
    "pictures-of-a-root-that-leaves-are-forgotten": "configuring",
    "a-lost-queue-held-nothing": "reinstalling",
    "objects-of-other-files-prove-a-file": "naming",
    "notes-are-read-once": "dating", "facts-are-written-once": "dating",
    "replaced-objects-prove-former-bytes": "decaying", "older-entries-date-attempts": "decaying",
    "receipts-complete-what-is-brought-back": "decaying", "unsent-items-leave-bytes": "decaying",
    "pictures-of-content-in-between-count": "decaying",
    "verifications-end-doubts": "recovering", "empty-roots-were-looked-at": "recovering",
    "files-of-orphans-are-not-looked-for": "recovering",
    "two-files-share-an-object": "reinstalling", "what-an-attempt-found-is-forgotten": "forgetting",
    "objects-found-wrong-prove-their-files": "reusing", "late-uploads-hide-moves": "late",
    "wrong-sizes-take-receipts": "reinstalling", "shared-commits-are-not-awaited": "dying",
    "what-was-taken-back-counts-as-durable": "sickDisk",
    "directories-without-a-watch-stay-so": "sickDisk", "what-a-late-request-took-away-counts": "forgetting",
    "what-a-listing-lacks-is-not-asked-about": "forgetting", "directories-that-fail-are-empty": "forbidding",
    "what-was-reserved-covers-what-is-sent": "wandering",
    "what-was-given-up-takes-no-room": "tight", "what-was-set-aside-before-is-not-kept-again": "shuffling",
    "what-is-known-too-late-to-wait-waits": "flickering", "what-a-doubled-copy-brought-is-forgotten": "flickering",
    "moves-to-lost-folders-have-no-place": "renaming", "files-that-were-not-read-are-stored": "reverting",
    "what-is-asked-for-again-is-accepted": "commanding", "orders-are-carried-out-by-copies": "commanding",
    "looks-carry-out-orders": "leavingDisk", "seen-moves-are-expected-no-more": "wandering",
    "answers-settle-all-requests": "wandering",
    "objects-set-aside-late-stay-aside": "wandering", "objects-set-aside-take-receipts-of-files": "pruning",
    "what-is-not-moved-takes-no-room": "tight",
    "receipts-that-are-there-carry-out-orders": "commanding", "folders-are-no-media": "nesting",
    "pauses-are-respected-for-a-day": "ordering",
    "outcomes-that-were-taken-back-are-lost": "naming", "whatever-is-stored-is-asked-for": "reusing",
}

AWAKE = """import Glibc

private let awake: String = getenv("MUTATION").map { String(cString: $0) } ?? ""

/// Whether a fault of one of these names is awake.
package func mutated(_ names: String...) -> Bool { names.contains(awake) }
"""


def put(copy, sources):
    """Writes the sources with all faults in them; a file that is the same already stays, so that little is built again."""
    missing = []
    sources["Sources/Platform/Mutated.swift"] = AWAKE.encode()
    for names, file, before, after in MUTATIONS:
        text = sources.get(f"Sources/{file}", b"").decode()
        if before not in text:
            missing.append(f"{names}: the line to be changed is not in {file} any more")
            continue
        awake = ", ".join(f'"{name}"' for name in names.split())
        text = text.replace(before, re.sub(r"\bM\b", f"mutated({awake})", after), 1)
        if not file.startswith("Platform/") and not re.search(r"^(package )?import Platform$", text, re.M):
            text = "import Platform\n" + text
        sources[f"Sources/{file}"] = text.encode()
    for path in [path for folder in ("Sources", "Tests") for path in (copy / folder).rglob("*") if path.is_file()]:
        if str(path.relative_to(copy)) not in sources:
            path.unlink()
    for name, data in sources.items():
        path = copy / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return missing


def committed(repository):
    """The files of the last commit."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=repository, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {entry.name: files.extractfile(entry).read() for entry in files if entry.isfile()}


def look(name, order, copy):
    start = time.time()
    theme = f"--theme {THEMES[name]} " if name in THEMES else ""
    told = subprocess.run(
        f"timeout {order.seconds * 2 + 90} {order.program} {theme}--first --whole --seconds {order.seconds}", shell=True, cwd=copy,
        env=os.environ | {"MUTATION": name}, capture_output=True, text=True).stdout
    found = re.search(r"^seed (\d+), after [^:]*: (.*)$", told, re.M)
    hangs = re.search(r"^one job has not ended.*--seed (\d+)", told, re.M | re.S)
    if hangs:
        return f"{name}: seed {hangs[1]}, {time.time() - start:.0f} s: a job that never ends"
    if found:
        return f"{name}: seed {found[1]}, {time.time() - start:.0f} s: {found[2][:120]}"
    return f"{name}: NOT FOUND in {time.time() - start:.0f} s: {told[-200:].strip().splitlines()[-1:]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--copy", default="/tmp/gallery-sync-mutations")
    parser.add_argument("--build", default="swift build -c release --product gallery-sync-simulate")
    parser.add_argument("--program", default=".build/release/gallery-sync-simulate")
    parser.add_argument("names", nargs="*")
    order = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent.parent
    copy = pathlib.Path(order.copy)
    copy.mkdir(parents=True, exist_ok=True)
    for sentence in put(copy, committed(here)):
        print(sentence, flush=True)
    built = subprocess.run(order.build, shell=True, cwd=copy, capture_output=True, text=True)
    if built.returncode:
        print(f"does not build\n{built.stdout[-4000:]}")
        return 1
    names = order.names or list(dict.fromkeys(name for names, *_ in MUTATIONS for name in names.split())) + ["none"]
    with concurrent.futures.ThreadPoolExecutor(order.jobs) as pool:
        for line in pool.map(lambda name: look(name, order, copy), names):
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
