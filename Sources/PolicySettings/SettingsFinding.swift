import PropertyList

/// A point in an app's settings that needs attention: place, reason and next step.
public struct SettingsFinding: Equatable, Sendable, CustomStringConvertible {
  /// The rule that found it.
  public let rule: SettingsRule
  /// The file as named by the caller; `nil` if there is none.
  public let file: String?
  /// The place in the file.
  public let position: PropertyListPosition
  /// The value concerned; for something that is missing, where it belongs.
  public let path: PropertyListPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// File, place, reason and next step in one line: `Info.plist: line 9, column 5: IntuneMAMSettings.MultiIdentity: … ;
  /// …`.
  ///
  /// Parts of the file are quoted, shortened and free of control characters. Values of secret settings are never
  /// included.
  public var description: String {
    let place = path.components.isEmpty ? "\(position)" : "\(position): \(path)"
    return (file.map { "\($0): " } ?? "") + "\(place): \(message); \(remedy)"
  }
}
