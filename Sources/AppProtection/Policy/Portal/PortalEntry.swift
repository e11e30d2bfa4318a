/// One entry of the administration portal: the setting whose row has it, or that one and several others together, under one
/// title and in the portal's words.
public struct PortalEntry: Sendable {
  /// The heading above it.
  public let group: PortalGroup
  /// Its place under its heading: entries are in ascending order of their places, which leave gaps.
  package let place: Int
  /// The portal's title. If the portal repeats a title with different actions, the action follows after a comma.
  public let title: String
  /// The portal's default in a new policy; `nil` if there is none (D iOS app protection policy settings).
  public let standard: String?
  private let beside: @Sendable () -> [PolicyProperty]
  /// The value in the portal's words; `nil` if the document lacks it or sets it to nothing.
  public let words: @Sendable (PolicyDocument) -> String?

  package init(
    _ group: PortalGroup, _ place: Int, _ title: String, standard: String?,
    beside: @escaping @Sendable () -> [PolicyProperty], words: @escaping @Sendable (PolicyDocument) -> String?
  ) {
    self.group = group
    self.place = place
    self.title = title
    self.standard = standard
    self.beside = beside
    self.words = words
  }

  /// The other settings that it shows.
  public var others: [PolicyProperty] { beside() }
}

/// How the portal shows a setting: what a row says about it.
package struct PortalRow<Value>: Sendable {
  let group: PortalGroup
  /// The entry, whose words begin with a value that is read from the document.
  let entry: @Sendable (_ get: @escaping @Sendable (PolicyDocument) -> Value?) -> PortalEntry?

  /// Shown in an entry of its own, alone or with other settings, which are ``beside(_:)`` it.
  package static func entry(
    _ group: PortalGroup, _ place: Int, _ title: String, _ words: PortalWording<Value>, standard: String? = nil,
    with others: @autoclosure @escaping @Sendable () -> [PolicyProperty] = []
  ) -> Self {
    Self(group: group) { get in
      PortalEntry(group, place, title, standard: standard, beside: others) { words.text(get($0), $0) }
    }
  }

  /// Shown in the entry of another setting, which names it.
  package static func beside(_ group: PortalGroup) -> Self {
    Self(group: group) { _ in nil }
  }
}

/// The headings of the administration portal's pages, in its order.
public enum PortalGroup: String, Sendable, CaseIterable {
  /// The policy's name.
  case basics = "Basics"
  /// The apps and devices.
  case apps = "Apps"
  /// Where data may go.
  case dataTransfer = "Data protection: Data Transfer"
  /// How data at rest is protected.
  case encryption = "Data protection: Encryption"
  /// Functions that may move data out of the app.
  case functionality = "Data protection: Functionality"
  /// Access requirements for the user.
  case access = "Access requirements"
  /// Conditions on the app and its account.
  case appConditions = "Conditional launch: App conditions"
  /// Conditions on the device.
  case deviceConditions = "Conditional launch: Device conditions"
  /// The groups.
  case assignments = "Assignments"
  /// Settings that no page for iOS policies shows.
  case other = "Not in the portal for iOS"
}
