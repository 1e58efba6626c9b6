import Output

extension DocumentForm {
    static let generate = DocumentForm(
        "generate/1", "The job that was ordered", [.always("job", job, "The job")])
}
