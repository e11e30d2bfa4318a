/// Two process starts and the revision of the rules that each states.
public struct ComparedRules: Equatable, Sendable {
  /// The event number in the first history.
  public let first: UInt64
  /// The revision stated there; `nil` if none is.
  public let firstRevision: UInt32?
  /// The event number in the second history.
  public let second: UInt64
  /// The revision stated there; `nil` if none is.
  public let secondRevision: UInt32?
}
