/// A setting and its value in the words of its administrator.
public struct SettingWording: Equatable, Sendable {
  /// Where it is found.
  public let group: String
  /// What it is called.
  public let title: String
  /// What it is set to.
  public let value: String

  /// All of them for people.
  public init(group: String, title: String, value: String) {
    (self.group, self.title, self.value) = (group, title, value)
  }
}

/// Something that could be changed.
public struct PossibleChange<State: Sendable>: Sendable {
  /// What kind of change it is.
  public enum Kind: String, Sendable {
    /// A setting gets another value.
    case setting
    /// Something happens: a check-in, an update.
    case fact
  }

  /// What kind of change it is.
  public let kind: Kind
  /// What to change, as an order without a full stop.
  public let text: String
  /// What it concerns: of several changes of one subject, one is enough.
  public let subject: String
  /// The state after the change.
  public let state: State

  /// A change and its result.
  public init(_ kind: Kind, of subject: String, _ text: String, _ state: State) {
    (self.kind, self.subject, self.text, self.state) = (kind, subject, text, state)
  }
}
