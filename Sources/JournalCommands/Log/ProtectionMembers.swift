import CommandSupport
import EventSourcing
import Forensics

/// What `-j` writes of events of app protection alone.
enum ProtectionMembers {
  /// The members of an event.
  static let ofEvents: [JSONMember<LoggedEvent>] = [
    .ifAny("conditions", each: condition) { $0.unmetConditions }, .ifAny("orderedBy") { $0.orderedBy },
  ]

  /// A launch condition that is not met.
  private static let condition: [JSONMember<UnmetCondition>] = [
    .init("rule", \.rule), .init("outcome", \.outcome), .init("settings", each: read, \.settings),
    .init("facts", each: read, \.facts),
  ]

  private static let read: [JSONMember<Explanation.Read>] = [
    .init("path") { RedactedText.statePath($0.path) }, .init("value", \.value),
  ]
}
