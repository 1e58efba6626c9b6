import Catalog
import Queue
package import Reporting
import Rescue
package import Roots
package import Text
package import Uploading

/// Everything that is wrong now, as the log of a watch tells it; pure logic.
package struct WatchState: Hashable, Sendable {
    /// What a condition is about; each topic has at most one.
    package enum Topic: Hashable, Sendable, Comparable {
        case paused
        /// The computer's network, power or sleep holds the watch back.
        case held
        case destination
        /// A root, by its name.
        case root(String)
        /// Items that wait, by the queue's word for the cause.
        case waiting(String)
        /// Files that failed, by the code of the failure.
        case failed(String)
        case brake
        case pictures
        case lost
        case late
    }

    /// One thing that is wrong, for as long as it lasts.
    package struct Condition: Hashable, Sendable {
        /// How severe the condition is.
        package let level: LogLevel
        /// The files that the condition stops; 0 if it is not about single files.
        package var count = 0
        /// What is said while the condition lasts.
        package let sentence: String
        /// What is said when the condition is over.
        let relief: String
        /// Tells the condition from others of the same topic.
        let identity: String

        /// A condition whose identity is its sentence; give another identity if the sentence contains figures.
        package init(_ level: LogLevel, count: Int = 0, _ sentence: String, relief: String, identity: String? = nil) {
            self.level = level
            self.count = count
            self.sentence = sentence
            self.relief = relief
            self.identity = identity ?? sentence
        }
    }

    /// Everything that is wrong now, by topic.
    var conditions: [Topic: Condition] = [:]
}

extension WatchState {
    /// The state as far as it is known without the library: pause, destination, roots.
    package init(
        isPaused: Bool, restraint: Restraint? = nil, obstacle: Uploader.Obstacle?, absences: [String: RootAbsence]
    ) {
        if let restraint {
            conditions[.held] = Condition(
                .info, "Nothing is sent, since \(restraint.words). \(restraint.next)", relief: "It sends again.",
                identity: restraint.rawValue)
        }
        if isPaused {
            conditions[.paused] = Condition(
                .info, "Paused: nothing is sent. Run \"gallery-sync queue resume\" to go on.",
                relief: "Resumed: it sends again.")
        }
        if let obstacle, !obstacle.isDoubtful {
            conditions[.destination] = Condition(
                obstacle.isFinal ? .error : .warning, Sentence.mended(obstacle.sentence, next: obstacle.next),
                relief: "The destination takes files again.", identity: obstacle.reason.rawValue)
        }
        for (name, absence) in absences {
            conditions[.root(name)] = Condition(
                absence.needsHuman ? .error : .warning,
                Sentence.text(
                    absence.reason,
                    next: absence.isNew
                        ? "It is watched as soon as it is there."
                        : "What is stored of \(name) stays; it goes on by itself once that is back."),
                relief: "\(name) is \(absence.isNew ? "there" : "back"); it goes on.",
                // Where another disk lies there now, it does not go on by itself, as was said before.
                identity: "\(name) \(absence.needsHuman)")
        }
    }

    /// Adds the conditions that the report shows.
    package mutating func add(_ report: Report) {
        for failure in report.failures { add(failure) }
        for blocked in report.blocked where blocked.files > 0 { add(blocked) }
        if let brake = report.brake {
            conditions[.brake] = Condition(
                .warning, count: brake.count,
                Sentence.text(brake.message, next: brake.next),
                relief: "The changed files are sent again.", identity: Library.brakeFact)
        }
        if let trouble = report.picturesTrouble {
            conditions[.pictures] = Condition(
                .warning, count: report.picturesOwed, Sentence.text(report.owedClause, next: "\(trouble)."),
                relief: "No stored file lacks a thumbnail for that reason any more: \(trouble)", identity: trouble)
        }
        guard let rescue = report.rescue else { return }
        let fileless = rescue.fileless ?? 0
        if rescue.lost + fileless > 0 {
            let lost = rescue.lost > 0 ? "\(Quantity.text(rescue.lost, "file")) of providers cannot be rescued. " : ""
            let ended = fileless > 0 ? "\(Quantity.text(fileless, "job")) of providers ended without a file. " : ""
            conditions[.lost] = Condition(
                .error, count: rescue.lost + fileless, "\(lost)\(ended)See \"gallery-sync jobs list\".",
                relief: "No file of a provider is lost any more.", identity: "")
        }
        let late = rescue.files.count { $0.danger == .late }
        if late > 0 {
            conditions[.late] = Condition(
                .warning, count: late,
                "\(Quantity.text(late, "file")) of providers will be deleted there before they have arrived here. "
                    + "See \"gallery-sync jobs list\".",
                relief: "The files of providers will arrive in time again.", identity: "")
        }
    }

    private mutating func add(_ failure: Report.Failure) {
        conditions[.failed(failure.code)] = Condition(
            .warning, count: failure.count, failure.sentence,
            relief: "No file fails any more with: \(failure.message)", identity: failure.code)
    }

    private mutating func add(_ blocked: Report.Blocked) {
        switch Item.Blocked(rawValue: blocked.reason) {
        // Destination, pause, root and network have topics of their own.
        case .offline, .paused, .away, .metered: return
        case .bucket, .signIn, .budget, .tooLarge, nil: break
        }
        // The condition of the destination says the same already.
        if conditions[.destination]?.sentence.hasPrefix(blocked.cause) == true { return }
        let topic = Topic.waiting(blocked.reason)
        // Of several causes of one kind, only the one that stops the most files is told.
        if let other = conditions[topic], other.count >= blocked.files { return }
        conditions[topic] = Condition(
            .warning, count: blocked.files, blocked.sentence,
            relief: "It goes on again, since this is over: \(blocked.cause)", identity: blocked.reason)
    }
}

extension Uploader.Obstacle {
    /// Whether only a person, or a long time, removes the obstacle.
    fileprivate var isFinal: Bool { Standstill.isFinal(reason) }

    /// What the user can do about it.
    fileprivate var next: String {
        let blocked: Item.Blocked
        switch reason {
        case .overloaded: return NextStep.after(code: failure?.code.text ?? "")
        case .offline, .projectPaused, .untrusted: blocked = .offline
        case .quota: blocked = .budget
        case .signIn: blocked = .signIn
        case .bucketMissing: blocked = .bucket
        }
        return NextStep.after(blocked: blocked.rawValue, code: failure?.code)
    }
}
