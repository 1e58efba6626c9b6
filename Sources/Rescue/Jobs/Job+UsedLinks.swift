import Cleansing
import Providers

extension Job {
    /// The job without the queries of links that are of no more use; the links' identities stay.
    ///
    /// A signed link works for anyone who has it. It is kept until the file is stored, because it may have to be
    /// fetched again, and until its row is told of the file, because the row is found by that link.
    var withoutUsedLinks: Job {
        var job = self
        for (index, file) in files.enumerated() where file.stage == .stored {
            job.files[index].link = Cleanser.link(file.link)
            job.files[index].claim?.videoURL = Cleanser.link(file.claim?.videoURL ?? "")
        }
        if let row, isStored, !files.contains(where: owesRow) { job.origin = .row(row.redacted) }
        return job
    }
}
