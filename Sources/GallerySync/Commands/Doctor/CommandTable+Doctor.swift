import CommandLine

extension CommandTable {
    static let doctor = CommandForm(
        "doctor", "Find out what stands in the way",
        details: [
            "Looks at the destination (connection, encryption, clock, key, bucket and its limits, and each right on an "
                + "object of its own that it removes again), at this computer (roots, state, watch limits, free space, "
                + "media worker and the formats it reads, the service) and at the providers that are configured. One line each: what is, and what to do.",
            "Where a policy is missing it prints the SQL for it. Changes nothing, and works while others run.",
            "Ends with 0 when all is well, else as the gravest line asks, in this order: 78 where the configuration needs a "
                + "human, 6 not signed in or not permitted, 7 no room at the destination, 74 the disk of the state, 5 try "
                + "again later, 3 anything else.",
        ],
        examples: [
            .init("doctor", "before the first sync, or when something fails"),
            .init("doctor --json", "for a bug report"),
        ],
        documents: [.doctor]
    ) { _ throws(UsageError) in DoctorRequest() }
}
