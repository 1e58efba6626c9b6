import Output

extension DocumentForm {
    static let verify = DocumentForm(
        "verify/1", "What a comparison of receipts with the bucket found",
        [
            .always("checked", .whole, "Receipts compared"),
            .always("missing", .whole, "Objects that are not there"),
            .always("different", .whole, "Objects that differ from their receipts"),
            .always("unreadable", .whole, "Objects that cannot be downloaded"),
            .always("leftover", .whole, "Objects that were sent and never proven"),
            .always("unknown", .whole, "Objects of others"),
            .always("damaged", .whole, "Files whose bytes changed although their time did not"),
            .always("sampled", .whole, "Objects downloaded and hashed"),
            .always("sampledBytes", .whole, "Bytes of those"),
            .always("queued", .whole, "Objects to be stored again"),
            .always("dropped", .whole, "Receipts dropped, since their files are gone, and their objects, too"),
            .always("unrepairable", .whole, "Receipts of damaged objects that stay, since their files are gone"),
            .always("proven", .whole, "Objects that got a receipt"),
            .always("complete", .truth, "Whether the whole bucket was compared"),
            .always(
                "findings",
                .list(
                    .object([
                        .always(
                            "problem", .word(["missing", "different", "unreadable", "leftover", "unknown", "damaged"]),
                            "What is wrong"),
                        .always("key", .text, "The object's key"), .always("message", .text, "The details"),
                    ])), "The first 10,000"),
        ])
}
