/// How many events were edited in each way.
public struct WhatIfCounts: Equatable, Sendable {
  /// Events that are left out.
  public var dropped: UInt64 = 0
  /// Events with another content.
  public var replaced: UInt64 = 0
  /// Events elsewhere.
  public var moved: UInt64 = 0
  /// Events that did not happen.
  public var added: UInt64 = 0
  /// Events with another policy or setting.
  public var rewritten: UInt64 = 0
  /// Whether the state at the beginning, which events that are not kept led to, is another one.
  public var rewritesBeginning = false

  @inlinable
  init() {}
}
