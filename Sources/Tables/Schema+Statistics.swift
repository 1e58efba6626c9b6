/// The figures by which SQLite chooses between indexes: those of a large gallery, whatever this one holds.
///
/// SQLite would count at the end of a run, and take a gallery whose first run ended with one file for one of a single row:
/// 20,000 more files then took five times the processor time, in plans that read whole tables. Before the first count it
/// takes a destination, which all receipts share, for as rare as a content. With these figures each statement has one
/// plan, on all machines and in all tests (https://sqlite.org/optoverview.html, "Manual Control Of Query Plans Using
/// SQLITE_STAT Tables").
extension Schema {
    /// Writes the figures down in place of those that earlier versions counted, and has this connection use them.
    ///
    /// For each index: how many rows it has, and how many of them share its first column, its first two, and so on. A
    /// table without rowids is its own index. They are those of 100,000 files with one thumbnail each in 1,000
    /// directories, and 1,000 rows of what is rare, such as failures. Queries ask for the states of few files, so a state
    /// in `assets_order` counts as one.
    static let statistics = """
        ANALYZE sqlite_schema;
        DELETE FROM sqlite_stat1;
        INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
            ('roots', 'sqlite_autoindex_roots_1', '3 1'),
            ('disks', 'disks', '3 1 1'),
            ('directories', 'sqlite_autoindex_directories_1', '1000 333 1'),
            ('assets', 'assets', '100000 100 1'),
            ('assets', 'assets_order', '100000 1000 1000 2 1'),
            ('assets', 'assets_owed', '1000 500'),
            ('assets', 'assets_remote', '1000 1'),
            ('assets', 'assets_noted', '1000 100 100'),
            ('assets', 'assets_suspect', '1000 500'),
            ('assets', 'assets_undecided', '1000 100'),
            ('assets', 'assets_failed', '1000 200'),
            ('assets', 'assets_motions', '1000 10'),
            ('assets', 'assets_timeline', '100000 2 1 1 1 1 1 1'),
            ('assets', 'assets_content', '100000 1 1 1'),
            ('contents', 'contents', '100000 1'),
            ('receipts', 'receipts', '200000 100000 1'),
            ('receipts', 'receipts_asset', '200000 200 2'),
            ('receipts', 'receipts_alike', '200000 2 1'),
            ('receipts', 'receipts_age', '200000 2 1'),
            ('receipts', 'receipts_proof', '200000 100000 1000'),
            ('attempts', 'attempts', '1000 500 1 1'),
            ('moves', 'moves', '100 50 1 1'),
            ('changes', 'changes', '1000 10 1'),
            ('blocked', 'sqlite_autoindex_blocked_1', '1000 500 1'),
            ('blocked', 'blocked_asset', '1000 10 1'),
            ('blocked', 'blocked_reason', '1000 100 50 1 1 1'),
            ('blocked', 'blocked_free', '1000 500 1'),
            ('deletions', 'deletions', '1000 500 1'),
            ('discrepancies', 'discrepancies', '1000 500 1'),
            ('marks', 'marks', '1000 500 1'),
            ('timeline', 'timeline', '10000 3 2 2 1'),
            ('timeline_changes', 'timeline_changes', '2 1'),
            ('cameras', 'sqlite_autoindex_cameras_1', '20 1'),
            ('asset_sums', 'asset_sums', '100 20 5 2 1'),
            ('receipt_sums', 'receipt_sums', '1000 2 2 1'),
            ('facts', 'facts', '30 1');
        ANALYZE sqlite_schema;
        """
}
