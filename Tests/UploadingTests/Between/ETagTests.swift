import Catalog
import Platform
import Records
import TestSupport
import Testing

@testable import Uploading

/// What an eTag says of bytes: nothing, unless it has one of two forms.
@Suite struct ETagTests {
    private static let md5 = "900150983cd24fb0d6963f7d28e17f72"

    @Test(
        arguments: [
            Fact("a bare one", md5, md5), Fact("between quotes", "\"\(md5)\"", md5),
            Fact("a weak one", "W/\"\(md5)\"", md5), Fact("in capitals", "\"\(md5.uppercased())\"", md5),
            Fact("none", nil, nil), Fact("nothing", "", nil), Fact("quotes alone", "\"\"", nil),
            Fact("a digit less", String(md5.dropLast()), nil), Fact("a digit more", md5 + "0", nil),
            Fact("a letter that is no digit", md5.dropLast() + "g", nil), Fact("a sign", "+" + md5.dropLast(), nil),
            Fact("as many characters beyond ASCII", String(repeating: "é", count: 16), nil),
            Fact("of an upload in parts", md5 + "-1", nil), Fact("spaces", " " + md5, nil),
        ] as [Fact<String?, String?>])
    func anMD5IsReadFrom(_ fact: Fact<String?, String?>) {
        #expect(MD5Tag(fact.input)?.hexadecimal == fact.output)
    }

    @Test(
        arguments: [
            Fact("one part", "\"\(md5)-1\"", 1), Fact("the most that S3 takes", "\(md5)-10000", 10_000),
            Fact("one more", "\(md5)-10001", nil), Fact("none", "\(md5)-0", nil), Fact("less", "\(md5)--1", nil),
            Fact("a sign", "\(md5)-+1", nil), Fact("no number", "\(md5)-", nil),
            Fact("another word", "\(md5)-one", nil),
            Fact("two numbers", "\(md5)-1-2", nil),
            Fact("more than fits", "\(md5)-99999999999999999999", nil), Fact("an MD5 alone", md5, nil),
            Fact("too short a sum", "\(md5.dropLast())-1", nil), Fact("no sum", "-1", nil), Fact("no eTag", nil, nil),
        ] as [Fact<String?, Int?>])
    func aTagOfPartsIsReadFrom(_ fact: Fact<String?, Int?>) {
        #expect(MultipartTag(fact.input)?.parts == fact.output)
    }

    /// What the bytes are known to have, the server's eTag, and what that proves.
    @Test(
        arguments: [
            Fact("the same MD5", (md5, nil, "\"\(md5)\""), .proven(.md5)),
            Fact("another MD5", (md5, nil, "00" + md5.dropFirst(2)), .contradicted),
            Fact("an MD5 that was not computed", (nil, nil, md5), .open), Fact("no eTag", (md5, nil, nil), .open),
            Fact("the same tag of parts", (nil, md5 + "-3", md5 + "-3"), .proven(.multipartMD5)),
            Fact(
                "as many parts of other bytes may be another cut", (nil, md5 + "-3", "00\(md5.dropFirst(2))-3"), .open),
            Fact("the same sum and another count", (nil, md5 + "-3", md5 + "-4"), .open),
            Fact("a tag of parts where the MD5 is known", (md5, nil, md5 + "-1"), .open),
            Fact("an MD5 where parts are known", (nil, md5 + "-1", md5), .open),
            Fact("both, by the one that agrees", (md5, md5 + "-3", md5 + "-3"), .proven(.multipartMD5)),
            Fact("a word of a server's own", (md5, md5 + "-3", "v1"), .open),
        ] as [Fact<(md5: String?, parts: String?, eTag: String?), Evidence.Finding>])
    func evidenceFinds(_ fact: Fact<(md5: String?, parts: String?, eTag: String?), Evidence.Finding>) {
        let evidence = Evidence(md5: fact.input.md5, multipartTag: MultipartTag(fact.input.parts))
        #expect(evidence.finding(fact.input.eTag) == fact.output)
    }

    /// Cuts of an object into parts: each covers it, and none is empty but that of nothing.
    @Test(
        arguments: [
            Fact("nothing is one empty part", (0, 1, nil), [[0]]), Fact("nothing in two", (0, 2, nil), []),
            Fact("one part", (7, 1, nil), [[7]]), Fact("a byte less than two parts", (16 << 20, 1, nil), [[16 << 20]]),
            Fact("a byte more", (16 << 20 + 1, 2, nil), [[16 << 20, 1]]),
            Fact("parts of five", (10 << 20, 2, nil), [[5 << 20, 5 << 20], [8 << 20, 2 << 20]]),
            Fact("more than any cut gives", (7, 2, nil), []),
            Fact("pieces that do not add up say nothing", (7, 1, [3, 3]), [[7]]),
            Fact("pieces too small for parts are one", (7, 1, [3, 4]), [[7]]),
            Fact(
                "a piece of the least size ends a part", (6 << 20, 2, [5 << 20, 1 << 20]),
                [[5 << 20, 1 << 20]]),
            Fact(
                "one byte less waits for the next", (6 << 20, 1, [5 << 20 - 1, 1 << 20 + 1]), [[6 << 20]]),
            Fact("the largest size that a row can hold", (.max, 1, nil), [[.max]]),
            Fact("of it in pieces", (.max, 2, [.max - 1, 1]), []),
            Fact("pieces whose sum is more than fits", (6 << 20, 2, [.max, 6 << 20]), [[5 << 20, 1 << 20]]),
        ] as [Fact<(size: Int64, count: Int, pieces: [Int64]?), [[Int64]]>])
    func cuts(_ fact: Fact<(size: Int64, count: Int, pieces: [Int64]?), [[Int64]]>) {
        let (size, count, pieces) = fact.input
        let cuts = PartCut.candidates(size: size, count: count, pieces: pieces)
        #expect(Set(cuts) == Set(fact.output))
        #expect(cuts.allSatisfy { $0.reduce(0, +) == size && $0.count == count })
    }
}
