package import Platform

extension Settings {
    /// Where a watch writes its status for other programs.
    package struct Reports: Hashable, Sendable {
        /// A text file of metrics for node_exporter, ending in `.prom`; `nil` for none.
        package var prometheusFile: FilePath?
    }
}
