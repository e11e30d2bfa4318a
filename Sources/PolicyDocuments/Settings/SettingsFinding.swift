import PropertyList

/// Something about an app's settings that somebody should look at: the place, the reason and the next step.
public struct SettingsFinding: Equatable, Sendable, CustomStringConvertible {
  /// The rule that found it.
  public let rule: SettingsRule
  /// The file as the caller named it; `nil` when there is none.
  public let file: String?
  /// Where it is in the file.
  public let position: PropertyListPosition
  /// Which value it concerns; of something that is missing, where it belongs.
  public let path: PropertyListPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// File, place, reason and next step in one line: `Info.plist: line 9, column 5: IntuneMAMSettings.MultiIdentity: … ; …`.
  ///
  /// What comes from the file is quoted, shortened and free of control characters. Values of secret settings are never
  /// part of it.
  public var description: String {
    let place = path.components.isEmpty ? "\(position)" : "\(position): \(path)"
    return (file.map { "\($0): " } ?? "") + "\(place): \(message); \(remedy)"
  }
}
