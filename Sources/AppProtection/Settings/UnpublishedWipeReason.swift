/// The number in a wipe notice whose cause has no published number.
public enum UnpublishedWipeReason: Int, WireEnumeration {
  /// This project's own, below 600.
  case ownNumber = 0
  /// 0, which has no meaning.
  case unspecified = 1
}
