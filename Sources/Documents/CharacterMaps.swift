/// The tables of poppler-data, which map the codes of Chinese, Japanese and Korean text to letters.
///
/// Poppler lists their folders and opens the tables that a document asks for. Without them, it leaves out such text
/// if its font is not in the document.
enum CharacterMaps {
    /// For each collection of letters, the codings that PDF names (ISO 32000-2, 9.7.5.2), across and down the page.
    private static let codings = [
        "Adobe-GB1": [
            "GB-EUC", "GBpc-EUC", "GBK-EUC", "GBKp-EUC", "GBK2K", "UniGB-UCS2", "UniGB-UTF16", "UniGB-UTF32",
        ],
        "Adobe-CNS1": [
            "B5pc", "HKscs-B5", "ETen-B5", "ETenms-B5", "CNS-EUC", "UniCNS-UCS2", "UniCNS-UTF16", "UniCNS-UTF32",
        ],
        "Adobe-Japan1": [
            "83pv-RKSJ", "90ms-RKSJ", "90msp-RKSJ", "90pv-RKSJ", "Add-RKSJ", "EUC", "Ext-RKSJ", "UniJIS-UCS2",
            "UniJIS-UCS2-HW", "UniJIS-UTF16", "UniJIS-UTF32",
        ],
        "Adobe-Korea1": [
            "KSC-EUC", "KSCms-UHC", "KSCms-UHC-HW", "KSCpc-EUC", "UniKS-UCS2", "UniKS-UTF16", "UniKS-UTF32",
        ],
    ]

    /// The paths of the tables and of their folders in Debian.
    static let paths: [String] =
        [folder + "/cidToUnicode", folder + "/cMap"]
        + codings.flatMap { collection, codings in
            let maps = "\(folder)/cMap/\(collection)"
            return ["\(folder)/cidToUnicode/\(collection)", "\(maps)/\(collection)-UCS2"]
                + codings.flatMap { ["\(maps)/\($0)-H", "\(maps)/\($0)-V"] }
        }
        + ["H", "V"].map { "\(folder)/cMap/Adobe-Japan1/\($0)" }

    private static let folder = "/usr/share/poppler"
}
