import CommandLine
import Formats
import Generating
import Providers
import Rescue

extension CommandTable {
    static let generate = CommandForm(
        "generate", "Order a video from fal, rendio or storytovideo",
        arguments: "PROVIDER MODEL", count: 2...2,
        candidates: .words(GenerateOrder.providers.map(\.rawValue)),
        options: [
            OptionForm("prompt", value: "TEXT", "What is to be seen"),
            OptionForm("input", value: "FILE", "A JSON file with the model's other input"),
            OptionForm("cost", value: "AMOUNT", "What it may cost, in dollars or credits"),
            OptionForm("yes", letter: "y", "Order it though its cost is unknown or unlimited"),
        ],
        details: [
            "Each order is sent once: its key is on the disk before the call, and an answer that is lost is looked for, "
                + "never bought again. While it has no answer, the same order once more goes on with it and adds none. "
                + "Without --yes it needs the setting maxSpend of the provider and the --cost.",
            "At storytovideo, your own server, MODEL is the style and the prompt is the story: a project is begun, and its "
                + "video is asked for once every shot has its picture. The --input may have a title and shots, a number.",
            "The finished video is brought into storage by \"watch\" or \"rescue\".",
        ],
        examples: [
            .init("generate fal fal-ai/veo3.1 --prompt Sunrise --cost 1.2", "within your limit"),
            .init("generate rendio veo3.1 --input cat.json --yes", "whatever it costs"),
            .init("generate storytovideo ink --prompt Winter", "a story in drawings"),
        ],
        documents: [.generate], mustBeMeant: true
    ) { words throws(UsageError) in try generateRequest(words) }

    private static func generateRequest(_ words: ParsedWords) throws(UsageError) -> GenerateRequest {
        let arguments = words.arguments.map { String(decoding: $0, as: UTF8.self) }
        var request = GenerateRequest(provider: arguments[0], model: arguments[1])
        request.prompt = try words.text("prompt")
        request.input = words.path("input")
        request.cost = try words.value("cost", "an amount like 1.20") { text in
            Double(digits: text).flatMap { GenerateOrder.millionths($0) == nil ? nil : $0 }
        }
        request.isConfirmed = words.isOn("yes")
        guard request.prompt?.isEmpty == false || request.input != nil else {
            throw UsageError(message: "\"generate\" needs a --prompt, or an --input that holds one.")
        }
        return request
    }
}
