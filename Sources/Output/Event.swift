import FoundationEssentials
import Gallery
package import Narration
import Queue
import Records
import Reporting
package import Restoring
package import Supabase
package import Sync
import Text
package import Uploading

/// One line of JSON by which a long command reports under `--json`.
package struct Event: Hashable, Sendable {
    /// The name and version of the lines' schema.
    static let schema = "gallery-sync/event/1"

    /// What happened; more may be added.
    package enum Name: String, Sendable, CaseIterable {
        /// The first line: the command began.
        case started
        /// How far it has come, at most once a second.
        case progress
        /// A file, or its picture, got its receipt.
        case stored
        /// A file could not be stored, or could not be restored.
        case failed
        /// A cause outside the file prevents it from being sent.
        case refused
        /// The file went away before it was sent.
        case withdrawn
        /// A file was restored, or was there already.
        case restored
        /// What a watch has done since the last such event.
        case batch
        /// A condition that a watch reports began, grew or ended.
        case state
        /// The last line: how the command ended.
        case finished
    }

    let name: Name
    /// All keys but `schema`, `at` and `event`.
    let fields: [String: JSONValue]

    /// The line as an object.
    func value(at now: Date) -> JSONValue {
        let frame: [String: JSONValue] = [
            "schema": .string(Self.schema), "at": .string(ISO8601.text(now)), "event": .string(name.rawValue),
        ]
        return .object(fields.merging(frame) { _, frame in frame })
    }
}

extension Event {
    /// The event that an agent reported.
    package init(_ event: AgentEvent) {
        switch event {
        case .file(let file): self.init(file)
        case .batch(let tally, let time): self.init(name: .batch, fields: Self.fields(tally, time))
        case .state(let remark):
            self.init(
                name: .state,
                fields: [
                    "topic": .string(remark.topic.word), "level": .string(remark.level.rawValue),
                    "message": .string(remark.sentence), "over": .bool(remark.isOver),
                ])
        }
    }

    private init(_ event: FileEvent) {
        var fields: [String: JSONValue] = [
            "path": .string(event.path), "role": .string(event.role.rawValue), "size": .integer(event.size),
        ]
        switch event.fate {
        case .stored(let standing, let proof):
            fields["standing"] = .string(standing.rawValue)
            fields["proof"] = .string(proof.rawValue)
            self.init(name: .stored, fields: fields)
        case .failed(let failure):
            let next = NextStep.after(code: failure.code.text)
            self.init(name: .failed, fields: fields.merging(Self.fields(failure, next)) { $1 })
        case .held(let reason, let failure):
            fields["reason"] = .string(reason.rawValue)
            let next = NextStep.after(blocked: reason.rawValue, code: failure.code)
            self.init(name: .refused, fields: fields.merging(Self.fields(failure, next)) { $1 })
        case .withdrawn: self.init(name: .withdrawn, fields: fields)
        }
    }

    /// The outcome for a file that was to be restored.
    package init(_ file: RestoredFile) {
        var fields: [String: JSONValue] = ["path": .string(file.name), "size": .integer(file.size)]
        switch file.outcome {
        case .restored, .planned, .alreadyThere:
            fields["alreadyThere"] = .bool(file.outcome == .alreadyThere)
            fields["proven"] = .bool(file.isProven)
            self.init(name: .restored, fields: fields)
        case .refused(let reason):
            fields["message"] = .string(reason)
            self.init(name: .refused, fields: fields)
        case .failed(let failure):
            fields["code"] = .string(failure.code.text)
            fields["message"] = .string(failure.message)
            self.init(name: .failed, fields: fields)
        }
    }

    private static func fields(_ failure: Item.Failure, _ next: String) -> [String: JSONValue] {
        ["code": .string(failure.code.text), "message": .string(failure.message), "next": .string(next)]
    }

    /// How far a command has come.
    package init(_ progress: Progress) {
        var fields: [String: JSONValue] = [
            "bytesDone": .integer(progress.bytesDone), "bytesTotal": .integer(progress.bytesTotal),
            // The rate over an interval of nearly no time may exceed all whole numbers.
            "rate": .integer(Int64(progress.rate.isFinite ? min(max(0, progress.rate), 9e18) : 0)),
            "retriesWaiting": .integer(Int64(progress.retriesWaiting)),
        ]
        for count in progress.counts {
            var step: [String: JSONValue] = [
                "done": .integer(Int64(count.done)), "failed": .integer(Int64(count.failed)),
            ]
            step["total"] = count.total.map { .integer(Int64($0)) } ?? .null
            fields[count.step.rawValue] = .object(step)
        }
        fields["secondsLeft"] = progress.timeLeft.map { .integer($0.components.seconds) } ?? .null
        fields["nextAttempt"] = progress.nextAttempt.map { .string(ISO8601.text($0)) } ?? .null
        fields["note"] = progress.note.map(JSONValue.string) ?? .null
        self.init(name: .progress, fields: fields)
    }

    /// The counts of a span of time.
    package static func fields(_ tally: Tally, _ time: Duration) -> [String: JSONValue] {
        [
            "new": .integer(Int64(tally.new)), "changed": .integer(Int64(tally.changed)),
            "again": .integer(Int64(tally.again)), "found": .integer(Int64(tally.found)),
            "moved": .integer(Int64(tally.moved)), "thumbnails": .integer(Int64(tally.thumbnails)),
            "rescued": .integer(Int64(tally.rescued)), "failed": .integer(Int64(tally.failed)),
            "bytes": .integer(tally.bytes),
            "seconds": .number((time.seconds * 1000).rounded() / 1000),
        ]
    }
}
