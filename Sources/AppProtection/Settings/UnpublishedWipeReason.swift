/// Which number a wipe notice carries whose cause has no published one.
public enum UnpublishedWipeReason: Int, WireEnumeration {
  /// This project's own, below 600.
  case ownNumber = 0
  /// 0, which says nothing.
  case unspecified = 1
}
