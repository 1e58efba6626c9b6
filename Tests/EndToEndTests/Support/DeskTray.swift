import Platform

/// A tray and a portal on a real bus, in a process of their own, which says what they hear.
final class DeskTray: Sendable {
    private let process: GallerySyncProcess

    /// Starts it on the bus at `address`; the names come last, when everything is there to be called.
    init(_ address: String, writingTo folder: FilePath) throws {
        let script = """
            import dbus, dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection('\(address)')
            class Watcher(dbus.service.Object):
                @dbus.service.method('org.kde.StatusNotifierWatcher', in_signature='s')
                def RegisterStatusNotifierItem(self, name): print('registered', name, flush=True)
            class Portal(dbus.service.Object):
                @dbus.service.method('org.freedesktop.portal.OpenURI', in_signature='ssa{sv}', out_signature='o')
                def OpenURI(self, parent, uri, options):
                    print('opened', uri, flush=True)
                    return dbus.ObjectPath('/request')
            objects = [Watcher(bus, '/StatusNotifierWatcher'), Portal(bus, '/org/freedesktop/portal/desktop')]
            def heard(*values, member=None): print('signal', member, flush=True)
            for interface in ('org.kde.StatusNotifierItem', 'com.canonical.dbusmenu'):
                bus.add_signal_receiver(heard, dbus_interface=interface, member_keyword='member')
            services = ('org.freedesktop.portal.Desktop', 'org.kde.StatusNotifierWatcher')
            names = [dbus.service.BusName(name, bus) for name in services]
            GLib.MainLoop().run()
            """
        process = try GallerySyncProcess("/usr/bin/python3", ["-c", script], environment: [:], writingTo: folder)
    }

    /// What it has heard of one kind so far: `registered`, `signal` or `opened`.
    func heard(_ kind: String) throws -> [String] {
        try process.results.split(separator: "\n").filter { $0.hasPrefix(kind + " ") }
            .map { String($0.dropFirst(kind.count + 1)) }
    }

    /// Ends it without a farewell.
    func kill() { process.signal(.kill) }
}
