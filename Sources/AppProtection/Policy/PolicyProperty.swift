import EventSourcing

/// One row of the property table: everything there is to know about one setting of a policy.
///
/// Wire format, Graph JSON, the tree form, differences and the published schema are all derived from the rows, so that
/// a setting is added in one place. See ``PolicyProperty/all``.
///
/// A class, so that passing a row on counts one reference and not one for each of its names and functions.
public final class PolicyProperty: Sendable {
  /// What kind of value a setting has.
  public enum Kind: Sendable {
    /// Text.
    case text
    /// True or false.
    case flag
    /// A whole number in this range.
    case number(ClosedRange<Int64>)
    /// A length of time.
    case duration
    /// A point in time.
    case date
    /// One of these names.
    case choice(EnumerationDescriptor)
    /// A list of these names.
    case choices(EnumerationDescriptor)
    /// A set of these names.
    case flags(EnumerationDescriptor)
    /// A list of texts.
    case texts
    /// A list of names with texts.
    case pairs
    /// A list of apps.
    case apps
    /// A list of assignments.
    case assignments
  }

  /// The page of the administration portal on which the setting is found.
  public enum Section: String, Sendable, CaseIterable {
    /// Name and description.
    case basics
    /// The apps and devices.
    case apps
    /// Where data may go.
    case dataProtection
    /// What the user must do first.
    case accessRequirements
    /// What must be the case first.
    case conditionalLaunch
    /// The groups.
    case assignments
    /// On no page for iOS policies.
    case other
  }

  /// What the setting does in this program.
  public enum Effect: String, Sendable, CaseIterable {
    /// Decisions depend on it.
    case steersDecisions
    /// It is kept, shown and compared; no decision reads it.
    case storedAndShown
  }

  /// The field's number on the wire. Never reused.
  public let number: Int
  /// The member's name in Graph.
  public let name: String
  /// What kind of value it has.
  public let kind: Kind
  /// Where it is found in the administration portal.
  public let section: Section
  /// What it does in this program.
  public let effect: Effect
  /// Who may see it.
  public let privacy: Privacy
  /// What it means, in one phrase.
  public let meaning: String
  let read: @Sendable (PolicyDocument) -> PolicyValue?
  /// Sets the value. A value of another kind counts as none.
  let write: @Sendable (inout PolicyDocument, PolicyValue?) -> Void
  /// What of a value is left once it was set; `nil` for a value of another kind.
  let representable: @Sendable (PolicyValue) -> PolicyValue?

  private init(
    number: Int, name: String, kind: Kind, section: Section, effect: Effect, privacy: Privacy, meaning: String,
    read: @escaping @Sendable (PolicyDocument) -> PolicyValue?,
    write: @escaping @Sendable (inout PolicyDocument, PolicyValue?) -> Void,
    representable: @escaping @Sendable (PolicyValue) -> PolicyValue?
  ) {
    self.number = number
    self.name = name
    self.kind = kind
    self.section = section
    self.effect = effect
    self.privacy = privacy
    self.meaning = meaning
    self.read = read
    self.write = write
    self.representable = representable
  }
}

/// The rows' constructors: each binds a typed stored property to the table, by a closure that reads it and one that sets
/// it. Key paths would say it shorter, and take a hundred times as long.
extension PolicyProperty {
  typealias Getter<Value> = @Sendable (PolicyDocument.Storage) -> Value?
  typealias Setter<Value> = @Sendable (PolicyDocument.Storage, Value?) -> Void

  private static func bound<Value>(
    _ number: Int, _ name: String, _ get: @escaping Getter<Value>, _ set: @escaping Setter<Value>, _ kind: Kind,
    _ section: Section, _ effect: Effect, _ privacy: Privacy, _ meaning: String,
    wrap: @escaping @Sendable (Value) -> PolicyValue, unwrap: @escaping @Sendable (PolicyValue) -> Value?
  ) -> PolicyProperty {
    PolicyProperty(
      number: number, name: name, kind: kind, section: section, effect: effect, privacy: privacy, meaning: meaning,
      read: { get($0.storage).map(wrap) },
      write: {
        $0.makeUnique()
        set($0.storage, $1.flatMap(unwrap))
      },
      representable: { unwrap($0).map(wrap) })
  }

  static func text(
    _ number: Int, _ name: String, _ get: @escaping Getter<String>, _ set: @escaping Setter<String>, _ section: Section,
    effect: Effect = .storedAndShown, privacy: Privacy = .public, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .text, section, effect, privacy, meaning, wrap: { .text($0) },
      unwrap: { if case .text(let text) = $0 { text } else { nil } })
  }

  static func flag(
    _ number: Int, _ name: String, _ get: @escaping Getter<Bool>, _ set: @escaping Setter<Bool>, _ section: Section,
    effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .flag, section, effect, .public, meaning, wrap: { .flag($0) },
      unwrap: { if case .flag(let flag) = $0 { flag } else { nil } })
  }

  static func number(
    _ number: Int, _ name: String, _ get: @escaping Getter<Int>, _ set: @escaping Setter<Int>, _ section: Section,
    _ range: ClosedRange<Int64>, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .number(range), section, effect, .public, meaning, wrap: { .number(Int64($0)) },
      unwrap: { if case .number(let value) = $0 { Int(exactly: value) } else { nil } })
  }

  static func duration(
    _ number: Int, _ name: String, _ get: @escaping Getter<PolicyDuration>, _ set: @escaping Setter<PolicyDuration>,
    _ section: Section, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .duration, section, effect, .public, meaning, wrap: { .duration($0) },
      unwrap: { if case .duration(let duration) = $0 { duration } else { nil } })
  }

  static func date(
    _ number: Int, _ name: String, _ get: @escaping Getter<PolicyDate>, _ set: @escaping Setter<PolicyDate>,
    _ section: Section, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .date, section, effect, .public, meaning, wrap: { .date($0) },
      unwrap: { if case .date(let date) = $0 { date } else { nil } })
  }

  static func choice<Choice: PolicyChoice>(
    _ number: Int, _ name: String, _ get: @escaping Getter<Choice>, _ set: @escaping Setter<Choice>, _ section: Section,
    effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .choice(Choice.descriptor), section, effect, .public, meaning,
      wrap: { .choice($0.number) },
      unwrap: { if case .choice(let number) = $0 { Choice(number: number) } else { nil } })
  }

  static func choices<Choice: PolicyChoice>(
    _ number: Int, _ name: String, _ get: @escaping Getter<[Choice]>, _ set: @escaping Setter<[Choice]>,
    _ section: Section, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .choices(Choice.descriptor), section, effect, .public, meaning,
      wrap: { .choices($0.map(\.number)) },
      unwrap: { if case .choices(let numbers) = $0 { numbers.map { Choice(number: $0) } } else { nil } })
  }

  static func flags<Flags: PolicyFlags>(
    _ number: Int, _ name: String, _ get: @escaping Getter<Flags>, _ set: @escaping Setter<Flags>, _ section: Section,
    effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .flags(Flags.descriptor), section, effect, .public, meaning,
      wrap: { .flags($0.rawValue) },
      unwrap: { if case .flags(let bits) = $0 { Flags(rawValue: bits) } else { nil } })
  }

  static func texts(
    _ number: Int, _ name: String, _ get: @escaping Getter<[String]>, _ set: @escaping Setter<[String]>,
    _ section: Section, effect: Effect = .storedAndShown, privacy: Privacy = .public, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .texts, section, effect, privacy, meaning, wrap: { .texts($0) },
      unwrap: { if case .texts(let texts) = $0 { texts } else { nil } })
  }

  static func pairs(
    _ number: Int, _ name: String, _ get: @escaping Getter<[PolicyPair]>, _ set: @escaping Setter<[PolicyPair]>,
    _ section: Section, effect: Effect = .storedAndShown, privacy: Privacy = .public, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .pairs, section, effect, privacy, meaning, wrap: { .pairs($0) },
      unwrap: { if case .pairs(let pairs) = $0 { pairs } else { nil } })
  }

  static func apps(
    _ number: Int, _ name: String, _ get: @escaping Getter<[PolicyApp]>, _ set: @escaping Setter<[PolicyApp]>,
    _ section: Section, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .apps, section, effect, .public, meaning, wrap: { .apps($0) },
      unwrap: { if case .apps(let apps) = $0 { apps } else { nil } })
  }

  static func assignments(
    _ number: Int, _ name: String, _ get: @escaping Getter<[PolicyAssignment]>,
    _ set: @escaping Setter<[PolicyAssignment]>, _ section: Section, effect: Effect = .storedAndShown, _ meaning: String
  ) -> PolicyProperty {
    bound(
      number, name, get, set, .assignments, section, effect, .account, meaning, wrap: { .assignments($0) },
      unwrap: { if case .assignments(let assignments) = $0 { assignments } else { nil } })
  }
}
