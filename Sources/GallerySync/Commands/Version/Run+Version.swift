import Cleansing
import CommandLine
import Output
import Text

extension Run {
    /// `version`, as a line or as JSON.
    func version() throws -> ExitCode {
        if invocation.isJSON {
            try console.result(["{\"schema\":\"gallery-sync/version/1\",\"version\":\(JSONText.quoted(Version.text))}"])
        } else {
            try console.result(["gallery-sync \(Version.text)"])
        }
        return .success
    }
}
