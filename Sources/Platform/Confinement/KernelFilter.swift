import CSeccomp
import Glibc

/// A `CallFilter` as libseccomp builds it for the kernel, released with its owner.
struct KernelFilter: ~Copyable {
    let context: scmp_filter_ctx?

    init(_ filter: CallFilter) throws(SystemError) {
        let newer = Verdict.refuse(ENOSYS)
        context = seccomp_init(newer.value)
        guard context != nil else { throw SystemError(call: "seccomp_init", code: ENOMEM) }
        try set(SCMP_FLTATR_ACT_BADARCH, Verdict.kill.value)
        // Makes libseccomp return the kernel's own error instead of one code for all of them.
        try set(SCMP_FLTATR_API_SYSRAWRC, 1)
        // Lets a rule name the number -1.
        try set(SCMP_FLTATR_API_TSKIP, 1)
        // libseccomp refuses a rule whose verdict is the default one.
        for (number, rule) in filter.rules where rule != .always(newer) { try add(rule, for: number) }
    }

    deinit { seccomp_release(context) }

    /// Installs the filter for this thread, or for all threads of the process.
    func load(allThreads: Bool) throws(SystemError) {
        try set(SCMP_FLTATR_CTL_TSYNC, allThreads ? 1 : 0)
        try Self.check(seccomp_load(context), "seccomp")
    }

    private func add(_ rule: CallRule, for number: Int32) throws(SystemError) {
        switch rule {
        case .always(let verdict):
            let result = seccomp_rule_add_exact_array(context, verdict.value, number, 0, nil)
            try Self.check(result, "seccomp_rule_add")
        case .oneOf(let argument, let mask, let values, let otherwise):
            let allowed = values.map { ($0, mask, Verdict.allow) }
            let others = CallRule.others(than: values, mask: mask).map { ($0.value, $0.mask, otherwise) }
            for (value, mask, verdict) in allowed + others {
                var comparison = scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
                let result = seccomp_rule_add_exact_array(context, verdict.value, number, 1, &comparison)
                try Self.check(result, "seccomp_rule_add")
            }
        }
    }

    private func set(_ attribute: scmp_filter_attr, _ value: UInt32) throws(SystemError) {
        try Self.check(seccomp_attr_set(context, attribute, value), "seccomp_attr_set")
    }

    /// libseccomp returns errors as negative numbers and leaves errno alone.
    private static func check(_ result: Int32, _ call: String) throws(SystemError) {
        try SystemError.checkNumber(-result, call)
    }
}
