package import Configuration
package import Diagnosis
import Sync
import Text
import Uploading

extension Finding {
    /// How much may be stored at the destination, as far as its settings say so.
    package static func room(_ destination: Settings.Destination) -> Finding {
        if destination.local {
            return .doubtful("room", "This computer's own disk. Not protected against loss of this disk.")
        }
        switch destination.storageBudget {
        case .bytes(let bytes)?: return .fine("room", "At most \(Quantity.text(bytes: Int64(bytes))) are stored there.")
        case .unlimited?: return .fine("room", "nothing limits it")
        case nil:
            guard let url = destination.url, StorageBudget.isHosted(url) else {
                return .fine("room", "a server of your own; nothing limits it but its disk")
            }
            let size = Quantity.text(bytes: StorageBudget.unknownPlan)
            return .doubtful(
                "room", "At most \(size) are stored there until destination.storageBudget says what the plan allows.")
        }
    }
}
