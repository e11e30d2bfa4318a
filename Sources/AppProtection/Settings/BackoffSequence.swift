/// How the pauses after failures of the network rise to their cap of an hour.
public enum BackoffSequence: Int, WireEnumeration {
  /// 1, 2, 4, 8, 16, 32 and then 60 minutes.
  case doubling = 0
  /// An hour from the first failure on.
  case capAtOnce = 1
}
