import Output

extension DocumentForm {
    static let jobs = DocumentForm(
        "jobs/1", "The jobs at providers whose videos are rescued", [.always("jobs", .list(job), "The jobs")])
}
