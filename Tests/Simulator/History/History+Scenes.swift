import Simulation

/// Acts that only together lead to what they are about, at moments that would hardly ever be drawn for each alone.
extension History {
    /// Sixty files are stored and then all change at once; the other acts follow after that.
    static func scrambling(_ acts: [Act], _ random: inout SplitMix) -> [Act] {
        let files = (0..<60).map { number in
            Act(
                at: number / 6, moment: nil,
                deed: .create(number / 30 * GalleryModel.numbers + number % 30, content: UInt64(number), size: 100))
        }
        let scrambled = Act(at: 300, moment: nil, deed: .scramble(content: .random(in: 100...10_000, using: &random)))
        return files + [scrambled] + acts.map { Act(at: 300 + $0.at, moment: $0.moment, deed: $0.deed) }
    }

    /// Nothing can be sent while the acts happen; a scan or two see each act before the next.
    ///
    /// Storage is down, or the user has paused the agent; some acts may come after that is over.
    static func shuffling(
        _ acts: [Act], after start: Int, every interval: Int, _ random: inout SplitMix
    ) -> [Act] {
        let created = acts.filter { $0.at <= start }
        var time = start + 30
        var scene: [Act] = []
        for act in acts where act.at > start {
            scene.append(Act(at: time, moment: act.moment, deed: act.deed))
            // Either long enough that a scan has seen the act, or no time at all.
            time += random.happens(0.7) ? Int.random(in: interval...4 * interval, using: &random) : 1
        }
        let (length, first) = (max(10, time - start - 30), start + 25)
        let seconds = random.happens(0.7) ? length : length / 2
        let isPaused = random.happens(0.3)
        let obstacle: [Act] =
            isPaused
            ? [
                Act(at: first, moment: nil, deed: .order(.pause)),
                Act(at: first + seconds, moment: nil, deed: .order(.resume)),
            ] : [Act(at: first, moment: nil, deed: .serverRestart(seconds: seconds))]
        return created + obstacle + scene
    }

    /// A disk leaves, and while it is away the user takes what is in its place.
    static func taking(_ act: Act, _ random: inout SplitMix) -> [Act] {
        guard case .unmount(let number, let seconds, let leaving) = act.deed else { return [act] }
        return [
            Act(at: act.at, moment: act.moment, deed: .unmount(number, seconds: seconds + 120, leaving)),
            Act(at: act.at + Int.random(in: 1...20, using: &random), moment: nil, deed: .takeDisks),
        ]
    }

    /// A file is renamed and gets its former name back: after the agent died while the server followed the rename, or
    /// at one of the next looks at the file.
    static func returning(_ act: Act, _ random: inout SplitMix) -> [Act] {
        guard case .rename(let number, let other) = act.deed else { return [act] }
        if random.happens(0.5) {
            let seams = [Seam.galleryOpen, .galleryLook].map { seam in
                Act.Moment(seam: seam, passing: Int.random(in: 0..<4, using: &random))
            }
            return [
                Act(at: act.at, moment: seams[0], deed: act.deed),
                Act(at: act.at + 1, moment: seams[1], deed: .rename(other, to: number)),
            ]
        }
        let moment = Act.Moment(seam: .answer, passing: Int.random(in: 0..<8, using: &random))
        return [
            Act(at: act.at, moment: nil, deed: act.deed),
            Act(at: act.at + 1, moment: moment, deed: .crash(random.happens(0.5) ? .kill : .powerCut)),
            Act(at: act.at + 1, moment: nil, deed: .rename(other, to: number)),
        ]
    }

    /// A file is renamed, and gets its former name back while a request to move its object may still be on its way; it may
    /// be renamed once more.
    static func wandering(_ act: Act, every interval: Int, _ random: inout SplitMix) -> [Act] {
        guard case .rename(let number, let other) = act.deed, number != other else { return [act] }
        var time = act.at
        return (0..<Int.random(in: 2...4, using: &random)).map { step in
            defer { time += Int.random(in: interval...3 * interval, using: &random) }
            let deed: Deed = step % 2 == 0 ? .rename(number, to: other) : .rename(other, to: number)
            return Act(at: time, moment: nil, deed: deed)
        }
    }

    /// Hides a file when the next agent looks for files whose pictures the dead one owed, once storage has answered.
    static func missing(after act: Act, _ pool: Pool, _ random: inout SplitMix) -> Act {
        let isAsking = random.happens(0.5)
        let moment = Act.Moment(
            seam: isAsking ? .answer : .galleryOpen, passing: Int.random(in: 0..<(isAsking ? 2 : 40), using: &random))
        return Act(at: act.at + 1, moment: moment, deed: .hide(pool.name(&random), until: found(&random)))
    }

    /// When a hidden file is back: an agent that misses a file lists its root next, to be sure that it is not empty.
    static func found(_ random: inout SplitMix) -> Act.Moment {
        let isMissed = random.happens(0.5)
        return Act.Moment(
            seam: isMissed ? .galleryList : .galleryLook,
            passing: Int.random(in: 0..<(isMissed ? 2 : 8), using: &random))
    }

    /// A file is stored, gets other content, changes once more while that is being sent, and is then as it was first.
    ///
    /// Programs do this when a backup is restored over a file whose change was a mistake.
    static func reverting(_ act: Act, _ pool: Pool, _ random: inout SplitMix) -> [Act] {
        guard case .revert(let number, let steps) = act.deed, random.happens(0.7) else { return [act] }
        let changes = (0..<2).map { _ in
            Deed.overwrite(number, content: pool.content(&random), size: 100)
        }
        let seam = [Seam.galleryOpen, .galleryRead, .request].randomElement(using: &random) ?? .galleryRead
        let moments = [seam, .answer].map { Act.Moment(seam: $0, passing: Int.random(in: 0..<4, using: &random)) }
        return [
            Act(at: act.at, moment: nil, deed: changes[0]),
            Act(at: act.at + 1, moment: moments[0], deed: changes[1]),
            Act(at: act.at + 1, moment: random.happens(0.7) ? moments[1] : nil, deed: .revert(number, steps: steps)),
        ]
    }

    /// The agent dies when a file's new content has replaced the former one, and the file then has that again.
    static func decaying(_ act: Act, _ pool: Pool, _ random: inout SplitMix) -> [Act] {
        guard case .revert(let number, _) = act.deed else { return [act] }
        let moment = Act.Moment(seam: .answer, passing: Int.random(in: 0..<3, using: &random))
        return [
            Act(at: act.at, moment: nil, deed: .overwrite(number, content: pool.content(&random), size: 100)),
            Act(at: act.at, moment: moment, deed: .crash(random.happens(0.7) ? .decay : .kill)),
            Act(at: act.at + 1, moment: nil, deed: .revert(number, steps: 1)),
        ]
    }

    /// Settings count for a short time, in which a file changes: less than the agent needs to do all that they ask for.
    ///
    /// What is stored of a root is deleted once it is out of the configuration, in the middle of what the agent does then.
    static func configuring(_ act: Act, _ pool: Pool, _ random: inout SplitMix) -> [Act] {
        guard case .configure(let configuration) = act.deed, configuration != .usual else { return [act] }
        guard configuration == .oneRoot else {
            let seams: [Seam] = [.decoding, .request, .answer, .answer, .stateSynchronize]
            let moment = Act.Moment(
                seam: seams.randomElement(using: &random) ?? .answer, passing: Int.random(in: 0..<6, using: &random))
            let change = Deed.overwrite(pool.name(&random), content: pool.content(&random), size: 100)
            // Else, the next agent has stored the file by then.
            let isShort = random.happens(0.7)
            return [
                Act(at: act.at, moment: nil, deed: change), act,
                Act(at: act.at + (isShort ? 31 : 120), moment: moment, deed: .configure(.usual)),
            ]
        }
        let moment = Act.Moment(seam: .any, passing: Int.random(in: 0..<200, using: &random))
        // By then the next agent has begun.
        return [act, Act(at: act.at + 31, moment: moment, deed: .order(.pruneRoot))]
    }

    /// Commands are given between the loss of the state and the next agent's start, which cannot know much yet.
    ///
    /// Sometimes a disk is not there either, as after the computer was installed anew.
    static func recovering(_ act: Act, _ pool: Pool, _ random: inout SplitMix) -> [Act] {
        guard case .crash = act.deed else { return [act] }
        let orders: [Deed.Order] = [
            .verify, .verify, .repair, .prune, .prune, .syncFolder, .syncFolder, .reuploadMissing, .repairDeep,
            .pruneFile,
        ]
        let commands = (0..<(random.happens(0.7) ? 1 : 2)).map { _ in
            Act(at: act.at, moment: nil, deed: .command(orders.randomElement(using: &random) ?? .verify))
        }
        guard random.happens(0.3) else { return commands + [act] }
        let seconds = Int.random(in: 20...120, using: &random)
        return [Act(at: act.at, moment: nil, deed: .unmount(pool.name(&random), seconds: seconds, .empty))]
            + commands + [act]
    }

    /// A file is deleted, and what is missing is restored after a scan or two; another file may have got its name first.
    static func bringingBack(_ act: Act, _ pool: Pool, _ random: inout SplitMix) -> [Act] {
        guard case .delete(let number) = act.deed else { return [act] }
        let pause = Int.random(in: 1...60, using: &random)
        var acts = [act, Act(at: act.at + pause, moment: nil, deed: .order(.bringBack))]
        if random.happens(0.4) {
            let other = Deed.create(number, content: pool.content(&random), size: 100)
            acts.append(Act(at: act.at + Int.random(in: 1...pause, using: &random), moment: nil, deed: other))
        }
        return acts
    }

    /// The agent that begins anew dies while it writes down what it found.
    static func losing(_ act: Act, _ random: inout SplitMix) -> [Act] {
        guard case .crash(let crash) = act.deed, Deed.Crash.losses.contains(crash) else { return [act] }
        let seams: [Seam] = [
            .queueWrite, .queueSynchronize, .queueRename, .queueDirectory, .stateWrite, .stateSynchronize,
        ]
        let moment = Act.Moment(
            seam: seams.randomElement(using: &random) ?? .queueWrite, passing: Int.random(in: 0..<8, using: &random))
        return [act, Act(at: act.at + 1, moment: moment, deed: .crash(random.happens(0.5) ? .kill : .powerCut))]
    }

    /// The network leaves for seconds, and sometimes again soon after it is back, around what happens otherwise.
    static func flickering(_ act: Act, _ random: inout SplitMix) -> [Act] {
        var time = act.at
        let outages = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            defer { time += Int.random(in: 1...30, using: &random) }
            let moment = Act.Moment(
                seam: random.happens(0.5) ? .request : .answer, passing: Int.random(in: 0..<6, using: &random))
            return Act(at: time, moment: random.happens(0.75) ? moment : nil, deed: outage(&random))
        }
        return [act] + outages
    }

    /// The network leaves, in most cases for less time than a request waits for its answer.
    static func outage(_ random: inout SplitMix) -> Deed {
        let longest = random.happens(0.5) ? 3 : random.happens(0.8) ? 30 : 300
        return .disconnect(seconds: Int.random(in: 1...longest, using: &random), isSilent: random.happens(0.4))
    }

    /// The other deeds follow so soon that the agent is in the middle of what it does about the first one.
    static func bursting(_ act: Act, _ others: [Deed], _ random: inout SplitMix) -> [Act] {
        [act]
            + others.map { deed in
                let seams: [Seam] = [.any, .any, .galleryList, .galleryLook, .galleryOpen, .galleryRead]
                let moment = Act.Moment(
                    seam: seams.randomElement(using: &random) ?? .any, passing: Int.random(in: 0..<6, using: &random))
                return Act(at: act.at, moment: random.happens(0.6) ? moment : nil, deed: deed)
            }
    }
}
