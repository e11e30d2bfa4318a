/// The origin of a wipe.
public enum WipeOrigin: Int, WireEnumeration {
  /// The administrator, through the service.
  case service = 0
  /// The app itself.
  case app = 1
  /// The engine: offline interval, launch condition, or a switch of the managed account.
  case engine = 2
}
