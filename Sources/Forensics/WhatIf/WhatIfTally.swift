/// How many decisions are affected, by how that is known.
public struct WhatIfTally: Equatable, Sendable {
  /// Decided again, and otherwise.
  public var redecided: UInt64 = 0
  /// With another effect.
  public var refolded: UInt64 = 0
  /// Possibly.
  public var possible: UInt64 = 0
  /// Without the event that is recorded as their cause.
  public var orphaned: UInt64 = 0
  /// How many decisions were looked at.
  @usableFromInline package var judged: UInt64 = 0

  @inlinable
  init() {}

  /// All of them.
  public var count: UInt64 { redecided + refolded + possible + orphaned }
}
