import CommandLine
import Formats

extension CommandTable {
    static let verify = CommandForm(
        "verify", "Compare what storage holds with what was stored",
        options: [
            OptionForm("deep", value: "PERCENT", "Download so many of the objects and hash them"),
            OptionForm("repair", "Store again what is found missing or different"),
        ],
        details: [
            "Lists the bucket and reports what is missing, what is different, and what no receipt speaks of. With "
                + "--deep it first says how much it will download, hashes a random sample, and reads the files of the "
                + "sample again: bytes that changed though the file's time did not are damage, and are not sent.",
            "Ends with 0 when all is as it was stored, else with 3. An object that another client put in the place of "
                + "one of ours stays; --repair stores ours beside it. What is wrong stays in the status until it is stored "
                + "again, or found in order.",
        ],
        examples: [
            .init("verify", "listings only, a request for each 1,000 objects"),
            .init("verify --deep 5 --json", "also download and hash one in twenty"),
            .init("verify --repair", "store again what has vanished"),
            .init("verify --deep 100 --repair", "also what has other bytes there now"),
        ],
        documents: [.verify]
    ) { words throws(UsageError) in
        let percent = try words.value("deep", "a percentage above 0, up to 100") { text in
            Double(digits: text.last == "%" ? String(text.dropLast()) : text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
        }
        return VerifyRequest(percent: percent, isRepairing: words.isOn("repair"))
    }
}
