/// How the filter decides about one system call.
enum CallRule: Hashable {
    case always(Verdict)
    /// `then` where the argument has one of the bits, else `otherwise`.
    case bits(argument: Int, UInt32, then: Verdict, otherwise: Verdict)
    /// `allow` where the lower half of the argument is one of these values, else `otherwise`.
    case oneOf(argument: Int, [UInt32], otherwise: Verdict)
    /// `allow` where the whole argument is zero, else `otherwise`.
    case zero(argument: Int, otherwise: Verdict)

    /// The instructions that decide once the call's number is known; every path ends in a verdict.
    var instructions: [FilterInstruction] {
        switch self {
        case .always(let verdict):
            [.end(verdict)]
        case .bits(let argument, let mask, let then, let otherwise):
            [.load(FilterInstruction.argument(argument)), .skip(1, unlessAnyBitOf: mask), .end(then), .end(otherwise)]
        case .oneOf(let argument, let values, let otherwise):
            [.load(FilterInstruction.argument(argument))]
                + values.flatMap { [.skip(1, unlessEqual: $0), .end(.allow)] } + [.end(otherwise)]
        case .zero(let argument, let otherwise):
            [
                .load(FilterInstruction.argument(argument)), .skip(3, unlessEqual: 0),
                .load(FilterInstruction.argument(argument) + 4), .skip(1, unlessEqual: 0), .end(.allow),
                .end(otherwise),
            ]
        }
    }
}
