import EventSourcing

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

/// The form of a setting's values: which kind they are of, and how a stored property's type becomes a ``PolicyValue`` and
/// back.
package struct PolicyValueForm<Value>: Sendable {
  let kind: PolicyProperty.Kind
  /// The numbers that Graph's reference and the portal allow.
  var documentedRange: ClosedRange<Int64>?
  let wrap: @Sendable (Value) -> PolicyValue
  /// The value; `nil` for one of another kind.
  let unwrap: @Sendable (PolicyValue) -> Value?
}

extension PolicyValueForm where Value == String {
  package static var text: Self {
    Self(kind: .text, wrap: { .text($0) }, unwrap: { if case .text(let text) = $0 { text } else { nil } })
  }
}

extension PolicyValueForm where Value == Bool {
  package static var flag: Self {
    Self(kind: .flag, wrap: { .flag($0) }, unwrap: { if case .flag(let flag) = $0 { flag } else { nil } })
  }
}

extension PolicyValueForm where Value == Int {
  /// Whole numbers of a range. A narrower documented range is for lint: numbers beyond it are read and kept.
  package static func number(_ range: ClosedRange<Int64>, documented: ClosedRange<Int64>? = nil) -> Self {
    Self(
      kind: .number(range), documentedRange: documented ?? range, wrap: { .number(Int64($0)) },
      unwrap: { if case .number(let value) = $0 { Int(exactly: value) } else { nil } })
  }
}

extension PolicyValueForm where Value == PolicyDuration {
  package static var duration: Self {
    Self(
      kind: .duration, wrap: { .duration($0) },
      unwrap: { if case .duration(let duration) = $0 { duration } else { nil } })
  }
}

extension PolicyValueForm where Value == PolicyDate {
  package static var date: Self {
    Self(kind: .date, wrap: { .date($0) }, unwrap: { if case .date(let date) = $0 { date } else { nil } })
  }
}

extension PolicyValueForm where Value: PolicyChoice {
  package static var choice: Self {
    Self(
      kind: .choice(Value.descriptor), wrap: { .choice($0.number) },
      unwrap: { if case .choice(let number) = $0 { Value(number: number) } else { nil } })
  }
}

extension PolicyValueForm {
  package static func choices<Choice: PolicyChoice>() -> Self where Value == [Choice] {
    Self(
      kind: .choices(Choice.descriptor), wrap: { .choices($0.map(\.number)) },
      unwrap: { if case .choices(let numbers) = $0 { numbers.map { Choice(number: $0) } } else { nil } })
  }
}

extension PolicyValueForm where Value: PolicyFlags {
  package static var flags: Self {
    Self(
      kind: .flags(Value.descriptor), wrap: { .flags($0.rawValue) },
      unwrap: { if case .flags(let bits) = $0 { Value(rawValue: bits) } else { nil } })
  }
}

extension PolicyValueForm where Value == [String] {
  package static var texts: Self {
    Self(kind: .texts, wrap: { .texts($0) }, unwrap: { if case .texts(let texts) = $0 { texts } else { nil } })
  }
}

extension PolicyValueForm where Value == [PolicyPair] {
  package static var pairs: Self {
    Self(kind: .pairs, wrap: { .pairs($0) }, unwrap: { if case .pairs(let pairs) = $0 { pairs } else { nil } })
  }
}

extension PolicyValueForm where Value == [PolicyApp] {
  package static var apps: Self {
    Self(kind: .apps, wrap: { .apps($0) }, unwrap: { if case .apps(let apps) = $0 { apps } else { nil } })
  }
}

extension PolicyValueForm where Value == [PolicyAssignment] {
  package static var assignments: Self {
    Self(
      kind: .assignments, wrap: { .assignments($0) },
      unwrap: { if case .assignments(let assignments) = $0 { assignments } else { nil } })
  }
}
