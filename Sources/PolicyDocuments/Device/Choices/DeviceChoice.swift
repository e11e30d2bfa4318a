import AppProtection

/// A setting's choices as a device numbers them.
///
/// A device numbers several settings the other way round than Graph does. The two encodings therefore share no type: each
/// enumeration of the device is one of its own here, and ``graph`` is the only bridge (D review app protection logs).
public protocol DeviceChoice: RawRepresentable<Int64>, CaseIterable, Sendable {
  /// The enumeration in Graph that means the same.
  associatedtype Graph: PolicyChoice
  /// The member in Graph that means the same.
  var graph: Graph { get }
}
