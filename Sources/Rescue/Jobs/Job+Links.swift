import FoundationEssentials
import Providers

extension Job {
    /// The jobs that bring the files of `links`: jobs at providers that have those files, else a new job for each.
    ///
    /// A link to a file of such a job is a fresh link for it, so that nothing is fetched and stored twice.
    static func bringing(_ links: [RescueLink], known: [Job], at now: Date) -> [Job] {
        let ids = Set(known.map(\.id))
        var owners: [String: Job] = [:]
        for job in known where job.reference != nil && !job.isCancelled {
            for file in job.files where owners[file.identity] == nil { owners[file.identity] = job }
        }
        var offers: [Job] = []
        var places: [JobIdentifier: Int] = [:]
        for link in links {
            let offer = Job(link, addedAt: now)
            guard !ids.contains(offer.id), let owner = offer.files.first.flatMap({ owners[$0.identity] }) else {
                offers.append(offer)
                continue
            }
            if let place = places[owner.id] {
                offers[place].files += offer.files
            } else {
                places[owner.id] = offers.count
                offers.append(
                    Job(
                        owner.id, origin: owner.origin, reference: owner.reference, files: offer.files,
                        addedAt: owner.addedAt))
            }
        }
        return offers
    }
}
