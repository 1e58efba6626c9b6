import CommandLine

extension CommandTable {
    static let doctor = CommandForm(
        "doctor", "Find out what stands in the way",
        details: [
            "Looks at the destination (connection, encryption, clock, key, bucket and its limits, and each right on an "
                + "object of its own that it removes again), at this computer (roots, state, watch limits, free space, "
                + "media worker and the formats it reads, the service) and at the providers that are configured. One line each: what is, and what to do.",
            "Where a policy is missing it prints the SQL for it. Changes nothing, and works while others run. Ends "
                + "with 0 when all is well, 78, 6, 7 or 5 where the destination is in the way, else with 3.",
        ],
        examples: [
            .init("doctor", "before the first sync, or when something fails"),
            .init("doctor --json", "for a bug report"),
        ],
        documents: [.doctor]
    ) { _ throws(UsageError) in DoctorRequest() }
}
