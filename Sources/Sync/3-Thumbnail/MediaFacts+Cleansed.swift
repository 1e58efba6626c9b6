import Cleansing
import MediaModel

extension MediaFacts {
    /// The facts with the words that come from the file, or from a decoder, fit to be kept and shown.
    var cleansed: MediaFacts {
        let cleanser = Cleanser()
        var facts = self
        facts.codec = codec.map { cleanser.word($0) }
        facts.camera = camera.map { cleanser.text($0, limit: 100) }
        facts.contentIdentifier = contentIdentifier.map { cleanser.word($0) }
        facts.chapters = chapters.map { chapters in
            chapters.prefix(200).map { Chapter(start: $0.start, title: $0.title.map { cleanser.text($0, limit: 100) }) }
        }
        facts.notes = notes.prefix(20).map { cleanser.text($0, limit: 300) }
        return facts
    }
}
