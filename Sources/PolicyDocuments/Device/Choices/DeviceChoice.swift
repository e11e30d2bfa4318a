import AppProtection

/// The choices of a setting as a device numbers them.
///
/// For several settings, a device uses Graph's numbers in reverse. The two encodings therefore share no type: each
/// enumeration of the device is a separate one here, and ``graph`` is the only bridge (D review app protection logs).
public protocol DeviceChoice: RawRepresentable<Int64>, CaseIterable, Sendable {
  /// The corresponding enumeration in Graph.
  associatedtype Graph: PolicyChoice
  /// The corresponding member in Graph.
  var graph: Graph { get }
}
