import Output

extension DocumentForm {
    static let prune = DocumentForm(
        "prune/1", "Objects whose files are gone, and what became of them",
        [
            .always("deleted", .truth, "Whether they were deleted, not listed"),
            .always("bytes", .whole, "Bytes of all objects"),
            .always(
                "objects",
                .list(
                    .object([
                        .always("path", .text, "The deleted file, with its root's name"),
                        .always("key", .text, "The object's key"),
                        .always("role", .text, "original, or thumbnail- and its size"),
                        .always("size", .whole, "Bytes"),
                        .sometimes("verifiedAt", .moment, "When it was proven"),
                        .always("isLeftover", .truth, "Whether it was sent and never proven"),
                        .always("isSetAside", .truth, "Whether its key is beside that of another file of that name"),
                    ])), "What was listed or deleted"),
            .always(
                "kept",
                .list(
                    .object([
                        .always("path", .text, "Its file, with its root's name"),
                        .always("key", .text, "The object's key"),
                        .always("reason", .text, "Why it stays"),
                        .sometimes("rule", .text, "The rule that leaves out its file, which may be here"),
                    ])), "What stays though its deletion was asked for"),
            .sometimes("forgotten", .text, "The root that is forgotten, since nothing of it is stored any more"),
        ])
}
