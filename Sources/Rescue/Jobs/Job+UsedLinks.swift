import Cleansing
import Providers

extension Job {
    /// The job without the queries of links that are of no more use; identities stay.
    ///
    /// A signed link works for all who have it. It is kept until the file is stored, since until then it may have to be
    /// fetched once more, and a row is found again by the link that it holds until it was told of its file.
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
