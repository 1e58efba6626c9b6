import Output

extension DocumentForm {
    static let rescue = DocumentForm(
        "rescue/1", "The providers' files, and what became of them",
        [
            .always("dryRun", .truth, "Whether nothing was fetched"),
            .always(
                "rows",
                .list(
                    .object([
                        .always("job", .text, "The job's identifier"),
                        .sometimes("file", .text, "Its path below the root of rescued files, else the link's name"),
                        .sometimes("link", .text, "The link without its query"), .sometimes("size", .whole, "Bytes"),
                        .sometimes("expires", .moment, "When the provider deletes it"),
                        .always("isAssumed", .truth, "Whether that is the provider's usual lifetime"),
                        .sometimes("fits", .truth, "Whether it fits into the storage budget"),
                        .always("state", .text, "How far it is"), .sometimes("note", .text, "Why it failed or waits"),
                    ])), "One for each file; of a job without files, the job"),
            .always("notes", .list(.text), "What could not be listed"),
        ])
}
