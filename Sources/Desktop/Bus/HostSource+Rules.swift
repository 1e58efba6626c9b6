extension HostSource {
    /// The match rules for the messages that the bus is to send from this service.
    var rules: [String] {
        let owner =
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(service)'"
        let from = "type='signal',sender='\(service)'"
        switch self {
        case .logind:
            return [owner, from + ",interface='\(BusPlace.logind.interface)',member='PrepareForSleep'"]
        case .tray: return [owner]
        case .notifications: return [owner, from + ",interface='\(BusPlace.notifications.interface)'"]
        case .networkManager, .upower, .powerProfiles:
            let places = Set(properties.map(\.place)).sorted { $0.path < $1.path }
            return [owner]
                + places.map {
                    from + ",path='\($0.path)',interface='\(BusPlace.properties)',member='PropertiesChanged'"
                        + ",arg0='\($0.interface)'"
                }
        }
    }
}
