import Formats
import FoundationEssentials
import ObjectStore

/// A file of fault rules that cannot be used.
package struct FaultPlanError: Error, Hashable, CustomStringConvertible {
    /// One sentence that says what is wrong and where, without the name of the file.
    package let description: String
}

extension FaultPlan {
    /// Reads `{seed, rules: [{method, path, rate, skip, times, and one effect}]}` in JSON5.
    ///
    /// Effects: `latency` and `stall` in seconds, `bandwidth` in bytes a second, `status` (with `retryAfter` in
    /// seconds, `body`, and `clock`, the seconds that the server's clock is ahead), `reset` and `truncate` after that
    /// many bytes; `stall` has `after` in bytes, too.
    package convenience init(json5 bytes: [UInt8]) throws(FaultPlanError) {
        let plan: JSON
        do {
            plan = try JSON5.decode(JSON.self, from: bytes)
        } catch {
            throw FaultPlanError(description: JSON5.fault(in: bytes, expecting: "{rules: []}"))
        }
        guard case .list(let items) = plan["rules"] else {
            throw FaultPlanError(description: "there is no list of \"rules\"")
        }
        var rules: [FaultRule] = []
        for (index, item) in items.enumerated() {
            do throws(Mistake) {
                rules.append(try FaultRule(item))
            } catch {
                throw FaultPlanError(description: "rule \(index + 1): \(error.text)")
            }
        }
        guard case .integer(let seed) = plan["seed"] ?? 0 else {
            throw FaultPlanError(description: "\"seed\" must be a whole number")
        }
        self.init(seed: UInt64(bitPattern: seed), rules)
    }
}

/// What is wrong with one rule, in one sentence.
private struct Mistake: Error {
    let text: String
}

extension FaultRule {
    private static let effects = ["latency", "bandwidth", "status", "reset", "truncate", "stall"]
    private static let names =
        effects + ["method", "path", "rate", "skip", "times", "retryAfter", "body", "clock", "after"]

    fileprivate init(_ json: JSON) throws(Mistake) {
        guard case .object(let members) = json else { throw Mistake(text: "is no object") }
        for member in members where !Self.names.contains(member.name) {
            let names = Self.names.joined(separator: ", ")
            throw Mistake(text: "\"\(member.name)\" is unknown; a rule has \(names)")
        }
        let effects = members.map(\.name).filter(Self.effects.contains)
        guard effects.count == 1, let name = effects.first else {
            throw Mistake(text: "needs exactly one of \(Self.effects.joined(separator: ", "))")
        }
        let rate = try Self.number("rate", in: json, 0...1) ?? 1
        self.init(
            try Self.effect(name, json), method: try Self.text("method", in: json),
            path: try Self.text("path", in: json), rate: rate, skip: try Self.whole("skip", in: json) ?? 0,
            times: try Self.whole("times", in: json))
    }

    private static func effect(_ name: String, _ json: JSON) throws(Mistake) -> Effect {
        switch name {
        case "latency": return .latency(.seconds(try number(name, in: json, 0...3600) ?? 0))
        case "stall":
            let seconds = try number(name, in: json, 0...3600) ?? 0
            return .stall(after: try whole("after", in: json) ?? 0, .seconds(seconds))
        case "status":
            let status = Int(try number(name, in: json, 100...599) ?? 0)
            return .status(
                status, retryAfter: try whole("retryAfter", in: json), body: try text("body", in: json),
                clock: try number("clock", in: json, -1e9...1e9).map { Int($0) })
        case "bandwidth": return .bandwidth(Int(try number(name, in: json, 1...1e12) ?? 1))
        case "reset": return .reset(after: try whole(name, in: json) ?? 0)
        default: return .truncate(after: try whole(name, in: json) ?? 0)
        }
    }

    private static func text(_ name: String, in json: JSON) throws(Mistake) -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.string else { throw Mistake(text: "\"\(name)\" must be a text") }
        return text
    }

    private static func whole(_ name: String, in json: JSON) throws(Mistake) -> Int? {
        try number(name, in: json, 0...1e15).map { Int($0) }
    }

    private static func number(
        _ name: String, in json: JSON, _ range: ClosedRange<Double>
    ) throws(Mistake) -> Double? {
        let value: Double
        switch json[name] {
        case nil: return nil
        case .integer(let number): value = Double(number)
        case .number(let number): value = number
        default: value = .nan
        }
        guard range.contains(value) else {
            throw Mistake(text: "\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
