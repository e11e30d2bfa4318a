import EventSourcing

/// `policy.received`: the service delivered a policy for the account.
public struct PolicyReceived: EventPayload {
  public var account: AccountNumber
  /// The policy.
  public var document: PolicyDocument
  /// Whether it is enforced only from the next launch on.
  public var waitsForRestart = false
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.policyReceived, "policy.received", meaning: "The service delivered a policy for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, document: PolicyDocument()) }

  /// The most changed settings that a headline names.
  private static let namedSettings = 3

  public func tell(in headline: Headline) {
    // Without the state, what is new is not known.
    if headline.changes.isEmpty { headline.add("a policy") } else { tellChanges(in: headline) }
    if waitsForRestart { headline.add(", from the next launch on") }
    headline.tell(below: "/accounts/")
  }

  private func tellChanges(in headline: Headline) {
    tellReplacement(in: headline)
    let version = headline.change(of: "version", within: "/policies/")
    headline.add(version == nil ? "the same version" : "version ")
    if let before = version?.before {
      headline.add(before)
      headline.add(" → ")
    }
    if let version { headline.add(version.after) }
    let isFirst = version.map { $0.before == nil } ?? false
    // A setting with several values has several changes, one after the other.
    var count = 0
    var last: Substring?
    headline.tell(below: "/policies/") { change in
      guard let name = PolicyProperty.setting(atPath: change.path) else { return false }
      if name != last { count += 1 }
      last = name
      return true
    }
    headline.add(", ")
    headline.add(count, "setting")
    if !isFirst { headline.add(" changed") }
    if !isFirst, count > 0, count <= Self.namedSettings {
      headline.add(": ")
      headline.addChanges(below: "/policies/", afterParts: 1, limit: 2 * Self.namedSettings) {
        PolicyProperty.setting(atPath: $0.path) != nil
      }
    }
    _ = headline.change(of: "enforced")
  }

  /// Says that it is another policy, and not a revision of the one before.
  private func tellReplacement(in headline: Headline) {
    guard let id = headline.change(of: "id", within: "/policies/"), id.before != nil, id.after != nil else { return }
    headline.add("another policy")
    headline.addChange(of: "displayName", within: "/policies/", before: ", ")
    headline.add(", ")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "document", &event.document, required: true, "the policy")
    try field(3, "waitsForRestart", &event.waitsForRestart, "whether it is enforced only from the next launch on")
    try field(4, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again")
  }
}
