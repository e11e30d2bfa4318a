import PropertyList

/// A change of a file, with its place and its reason.
public struct SettingsChange: Equatable, Sendable {
  /// The rule that demands it; `nil` where lint does not ask for it.
  public let rule: SettingsRule?
  /// Where the value that changes begins, or the value that gets a new one.
  public let position: PropertyListPosition
  /// The value that changes or is new.
  public let path: PropertyListPath
  /// What is done: a phrase such as `add "zips"`.
  public let action: String
  /// Why: one sentence.
  public let reason: String
  /// Where the reason is published: a tag and a heading; see the article "Settings".
  public let source: String
}

/// Something that a repair leaves to the owner of a file.
public struct SettingsRepairNote: Equatable, Sendable {
  /// The place in the file.
  public let position: PropertyListPosition
  /// The value concerned.
  public let path: PropertyListPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String
}
