/// Whether the app PIN protects an account's data.
public enum PINDemand: DecisionOutcome {
  /// It is not.
  case notRequired
  /// It is, whenever the recheck period is over.
  case required

  /// The name of the case.
  public var name: String { "\(self)" }
}
