/// The value of any setting, as the property table handles it.
public enum PolicyValue: Equatable, Sendable {
  /// Text.
  case text(String)
  /// True or false.
  case flag(Bool)
  /// A whole number.
  case number(Int64)
  /// A length of time.
  case duration(PolicyDuration)
  /// A point in time.
  case date(PolicyDate)
  /// The number of an enumeration's member.
  case choice(UInt64)
  /// The numbers of an enumeration's members, in order.
  case choices([UInt64])
  /// The bits of a set.
  case flags(UInt64)
  /// Texts in order.
  case texts([String])
  /// Names with texts, in order.
  case pairs([PolicyPair])
  /// Apps in order.
  case apps([PolicyApp])
  /// Assignments in order.
  case assignments([PolicyAssignment])
}

/// What a document says about a setting. Graph distinguishes an absent member from one that is `null`, and so do
/// documents.
public enum PolicySetting: Equatable, Sendable {
  /// The document does not mention it.
  case absent
  /// The document sets it to `null`, which means the same for every decision.
  case null
  /// The document sets it.
  case value(PolicyValue)
}
