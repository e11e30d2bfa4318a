/// One difference between a history and one that is known to be healthy.
public struct HistoryDifference: Equatable, Sendable {
  /// What differs.
  public enum Kind: String, Sendable, CaseIterable {
    /// The rules answer a question otherwise.
    case answer
    /// A kind of event with its choices occurs in one history only, or far more often there.
    case event
    /// A kind of event follows another one in one history only.
    case transition
  }

  /// What differs.
  public let kind: Kind
  /// The event, the transition or the question.
  public let text: String
  /// The first event that has it here; `nil` where only the healthy history has it.
  public let first: UInt64?
  /// How often it occurs here, or the answer here.
  public let here: String
  /// How often it occurs in the healthy history, or the answer there.
  public let there: String
  /// The problem for which its first event is evidence, by its family's name; `nil` if for none.
  public let family: String?
}
