import Queue
import Records

/// Live Photos in the schema: a photo and its movie name each other, and are shown once.
extension Schema {
    /// Whether `assets` has the column that version 8 added.
    static let pairQuery = "SELECT 1 FROM pragma_table_info('assets') WHERE name = 'pair'"

    /// The name of the other half, which lies in the same directory; NULL for all other files.
    static let pairs = """
        ALTER TABLE assets ADD COLUMN pair BLOB;
        CREATE INDEX assets_motions ON assets (directory) WHERE \(isMotion);
        """

    /// Which rows of `assets` are movies that their photos show.
    package static let isMotion = "pair IS NOT NULL AND standing IS NULL AND state NOT IN \(assets: [.gone, .ignored])"

    /// The standing of a row of `assets`; in a Live Photo the photo has that of both, and the movie has NULL.
    ///
    /// Both are shown as one if their standings are equal, or stored and waiting. Otherwise each is shown by itself, so
    /// that a movie that failed is neither hidden by its photo nor takes the photo's place.
    static let shownStanding = """
        (CASE WHEN pair IS NULL THEN \(standing(of: "assets")) ELSE nullif(coalesce((
            SELECT CASE WHEN \(standing(of: "p")) = \(standing(of: "assets")) OR (\(standing(of: "p")) IN \(transit)
                    AND \(standing(of: "assets")) IN \(transit))
                THEN CASE assets.kind WHEN \(TimelineKind.video.rawValue) THEN -1
                    ELSE max(\(standing(of: "p")), \(standing(of: "assets"))) END END
            FROM assets p WHERE p.directory = assets.directory AND p.name = assets.pair AND p.pair = assets.name
                AND p.taken IS NOT NULL), \(standing(of: "assets"))), -1) END)
        """

    /// Stored and waiting, of which the greater number is shown for a pair: one half of it is not stored yet.
    private static let transit = "(\(Standing.stored.rawValue), \(Standing.waiting.rawValue))"

    /// A condition on `assets p`: the row is the movie that is shown with the photo in row `a`.
    package static let isMotionOfPhoto = """
        p.directory = a.directory AND p.name = a.pair AND p.pair = a.name AND p.standing IS NULL
        AND p.state NOT IN \(assets: [.gone, .ignored])
        """
}
