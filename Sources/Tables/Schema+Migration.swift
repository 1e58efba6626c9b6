package import Database

// Brings the tables of any earlier version to this one's.
extension Schema {
    /// Makes the tables of a new library, or brings those of an earlier version up to date; throws `DatabaseError`.
    ///
    /// All in one transaction, so that a process that reads meanwhile finds every table or no library.
    ///
    /// - Parameter former: The library's version; 0 for a new one.
    package static func migrate(_ database: Connection, from former: Int64) throws {
        try database.execute(settings)
        guard former < version else { return }
        let before = try changes(of: database, from: former)
        try database.execute("BEGIN; \(before) \(tables) \(firstFacts(of: former)) \(formerStates)")
        try addTimeline(to: database)
        if try !database.exists(sumsQuery) { try database.execute(sums) }
        try database.execute(sumTriggers + statistics)
        try database.execute("PRAGMA user_version = \(version); COMMIT")
    }

    /// Resets what a crash interrupted, so that reading begins again.
    package static func recover(_ database: Connection) throws {
        // Usually nothing was interrupted, and then no statement that changes rows is prepared.
        if try database.exists(interruptedQuery) { try database.execute(recovery) }
    }

    /// Gives a read-only connection what a library of an earlier version lacks.
    package static func makeReadable(_ database: Connection) throws {
        if try lacksProofs(database) { try database.execute(unprovenReceipts) }
        if try !database.exists(discrepancyQuery) { try database.execute(noDiscrepancies) }
        if try !database.exists(markQuery) { try database.execute(marks(of: try database.schemaVersion)) }
        guard try !database.exists(sumsQuery) else { return }
        try database.execute(countedSums(hasFaces: try database.exists(facesQuery)))
    }

    /// The changes to tables that are there, made before `tables` adds those that are new.
    private static func changes(of database: Connection, from former: Int64) throws -> String {
        let hasRules = try database.exists(rulesQuery)
        var changes = former > 0 ? Self.changes(from: former, hasRules: hasRules) : ""
        if try lacksProofs(database) { changes += proofs }
        if try lacks("brake", of: "assets", in: database) { changes += brakeColumn }
        if try lacks("ruled", of: "assets", in: database) { changes += ruledColumn }
        return changes + attemptChanges(from: former, hasSources: try database.exists(sourceQuery))
    }

    private static func addTimeline(to database: Connection) throws {
        if try !database.exists(facesQuery) {
            try database.execute(faceColumns)
            try fillFaces(in: database)
            try database.execute(timeline)
        }
        if try !database.exists(cameraQuery) { try database.execute(cameras + timelineIndexes) }
        let isPaired = try database.exists(pairQuery)
        try database.execute((isPaired ? "" : pairs) + timelineTriggers)
        if !isPaired { try findPairs(in: database) }
    }

    /// Whether its receipts are from a version that did not write down how they were proven.
    private static func lacksProofs(_ database: Connection) throws -> Bool {
        try lacks("proof", of: "receipts", in: database)
    }

    /// Whether a table that is there has no such column.
    private static func lacks(_ column: String, of table: String, in database: Connection) throws -> Bool {
        let columns = try database.rows("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
        return !columns.isEmpty && !columns.contains(column)
    }
}
