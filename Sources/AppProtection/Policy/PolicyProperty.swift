import EventSourcing

/// One row of the property table: the full description of one setting of a policy.
///
/// Wire format, Graph JSON, the tree form, differences, the published schema, the words of the administration portal, the
/// encoding of devices, the combination of several policies and the switches of ``EffectivePolicy`` are all derived from
/// the rows, so that a setting is added in one place. See ``PolicyProperty/all`` and <doc:HowToAdd>.
///
/// A class, so that passing a row retains one reference instead of one for each of its names and functions.
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

    /// The names of a choice, a list of choices or a set.
    package var names: EnumerationDescriptor? {
      switch self {
      case .choice(let names), .choices(let names), .flags(let names): names
      case .text, .flag, .number, .duration, .date, .texts, .pairs, .apps, .assignments: nil
      }
    }
  }

  /// What the setting does in this program.
  public enum Effect: String, Sendable, CaseIterable {
    /// Decisions depend on it.
    case steersDecisions
    /// It is kept, shown and compared; no decision reads it.
    case storedAndShown
  }

  /// The field's number on the wire. Never reused. Settings that only files have (`isKept`) have numbers of their own, which
  /// no journal holds.
  public let number: Int
  /// The member's name in Graph.
  public let name: String
  /// What kind of value it has.
  public let kind: Kind
  /// The numbers that Graph's reference and the portal allow; `nil` where the property is not a number.
  ///
  /// It may be narrower than the range of ``kind``: numbers beyond it are read and kept, so that lint can name them.
  public let documentedRange: ClosedRange<Int64>?
  /// What it does in this program.
  public let effect: Effect
  /// Who may see it.
  public let privacy: Privacy
  /// What it means, in one phrase.
  public let meaning: String
  /// The types of policies that have it in Graph.
  package let graphTypes: GraphMember.Types
  /// How the values of several policies are combined.
  public let combination: CombinationRule
  /// The settings that form one choice with it.
  let combinationGroup: PolicyGroup?
  /// The stricter of two values, the first where they are equally strict; for lists, the entries in both.
  let combined: @Sendable (PolicyValue, PolicyValue) -> PolicyValue
  /// Whether a policy restricts what this setting loosens.
  let restricts: @Sendable (PolicyDocument) -> Bool
  /// The heading of the administration portal under which it is found.
  public let portalGroup: PortalGroup
  /// How the portal shows it; `nil` for a setting that another one's entry shows.
  public let portal: PortalEntry?
  /// How devices encode it: names, values and other settings that they set.
  public let device: [DeviceEncoding]
  package let read: @Sendable (PolicyDocument) -> PolicyValue?
  /// Sets the value. A value of another kind counts as none.
  let write: @Sendable (inout PolicyDocument, PolicyValue?) -> Void
  /// The value as stored once it is set; `nil` for a value of another kind.
  let representable: @Sendable (PolicyValue) -> PolicyValue?
  /// The number by which findings of launch conditions name it in the journal; `nil` for a setting that none compares.
  let launchNumber: UInt8?
  /// The switches that a document turns on by this setting; `nil` for a setting that feeds none.
  let switches: (@Sendable (PolicyDocument.Storage) -> PolicySwitches)?
  /// Whether a document holds the value as a kept member: a setting that no policy for iOS has, and so no journal.
  package let isKept: Bool

  typealias Getter<Value> = @Sendable (PolicyDocument.Storage) -> Value?
  typealias Setter<Value> = @Sendable (PolicyDocument.Storage, Value?) -> Void

  /// How a document holds a setting's value.
  private struct Access<Value> {
    let isKept: Bool
    let typed: @Sendable (PolicyDocument) -> Value?
    let read: @Sendable (PolicyDocument) -> PolicyValue?
    let write: @Sendable (inout PolicyDocument, PolicyValue?) -> Void
    var switches: (@Sendable (PolicyDocument.Storage) -> PolicySwitches)?
  }

  private init<Value>(
    _ number: Int, _ name: String, _ form: PolicyValueForm<Value>, _ meaning: String, _ access: Access<Value>,
    _ types: GraphMember.Types, _ privacy: Privacy, _ effect: Effect, _ combination: SettingCombination<Value>,
    _ launchNumber: UInt8?, _ portal: PortalRow<Value>, _ device: [DeviceRow<Value>]
  ) {
    let (wrap, unwrap) = (form.wrap, form.unwrap)
    self.number = number
    self.name = name
    kind = form.kind
    documentedRange = form.documentedRange
    self.effect = effect
    self.privacy = privacy
    self.meaning = meaning
    graphTypes = types
    self.combination = combination.rule
    combinationGroup = combination.group
    let combined = combination.combined
    self.combined = { one, other in
      guard one != other, let value = unwrap(one), let second = unwrap(other) else { return one }
      return wrap(combined(value, second))
    }
    restricts = combination.restricts
    self.launchNumber = launchNumber
    portalGroup = portal.group
    self.portal = portal.entry(access.typed)
    self.device = device.map(\.encoding)
    isKept = access.isKept
    read = access.read
    write = access.write
    switches = access.switches
    representable = { unwrap($0).map(wrap) }
  }

  /// Creates a row from closures that read and set the stored property. Key paths would be shorter, and take a hundred
  /// times as long.
  ///
  /// - Parameters:
  ///   - number: The field's number on the wire, forever.
  ///   - name: The name in Graph, which is also that of the row.
  ///   - form: The kind of value.
  ///   - meaning: What it means, in one phrase, for the published schema.
  ///   - get: Reads the stored property.
  ///   - set: Sets the stored property.
  ///   - types: The types of policies that have it in Graph.
  ///   - privacy: Who may see it.
  ///   - effect: What it does in this program, where no switch says so.
  ///   - combination: How the values of several policies are combined.
  ///   - feed: The switches of ``EffectivePolicy`` that it turns on, where decisions read it as one.
  ///   - launchNumber: The number by which findings of launch conditions name it in the journal, forever.
  ///   - portal: How the administration portal shows it.
  ///   - device: How devices encode it, once for each name that they use.
  static func row<Value>(
    _ number: Int, _ name: String, _ form: PolicyValueForm<Value>, _ meaning: String, _ get: @escaping Getter<Value>,
    _ set: @escaping Setter<Value>, of types: GraphMember.Types, privacy: Privacy = .public, effect: Effect? = nil,
    combines combination: SettingCombination<Value>, feeds feed: SwitchFeed<Value>? = nil,
    launch launchNumber: UInt8? = nil, portal: PortalRow<Value>, device: DeviceRow<Value>...
  ) -> PolicyProperty {
    let (wrap, unwrap) = (form.wrap, form.unwrap)
    var access = Access<Value>(
      isKept: false, typed: { get($0.storage) }, read: { get($0.storage).map(wrap) },
      write: {
        $0.makeUnique()
        set($0.storage, $1.flatMap(unwrap))
      })
    if let feed {
      access.switches = { storage in get(storage).map { feed.switches($0, storage) } ?? [] }
    }
    return PolicyProperty(
      number, name, form, meaning, access, types, privacy,
      effect ?? (feed == nil ? .storedAndShown : .steersDecisions),
      combination, launchNumber, portal, device)
  }

  /// Creates a row of a setting that no policy for iOS has. A document holds its value as a kept member, so that nothing is
  /// lost, and journals know nothing of it.
  ///
  /// - Parameters:
  ///   - number: A number of its own, above all numbers on the wire.
  ///   - read: Reads a value of a kind from a kept member; `nil` where it has none.
  ///   - write: A value as the JSON of a kept member.
  package static func kept<Value>(
    _ number: Int, _ name: String, _ form: PolicyValueForm<Value>, _ meaning: String, privacy: Privacy = .public,
    combines combination: SettingCombination<Value>, portal: PortalRow<Value>,
    reading read: @escaping @Sendable (Kind, KeptMember) -> PolicyValue?,
    writing write: @escaping @Sendable (Kind, PolicyValue) -> String
  ) -> PolicyProperty {
    let (kind, unwrap, wrap) = (form.kind, form.unwrap, form.wrap)
    let typed: @Sendable (PolicyDocument) -> Value? = { policy in
      policy.keptMember(named: name).flatMap { read(kind, $0) }.flatMap(unwrap)
    }
    let access = Access<Value>(
      isKept: true, typed: typed, read: { typed($0).map(wrap) },
      write: { policy, value in
        policy.keep(name, json: value.flatMap(unwrap).map { write(kind, wrap($0)) })
      })
    return PolicyProperty(
      number, name, form, meaning, access, GraphMember.named(name)?.types ?? [], privacy, .storedAndShown, combination,
      nil, portal, [])
  }
}

extension PolicyDocument {
  /// The kept member with this name.
  func keptMember(named name: String) -> KeptMember? {
    keptMembers.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Keeps a member's JSON in place of what was kept under its name; `nil` removes it.
  mutating func keep(_ name: String, json: String?) {
    keptMembers.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    guard let json else { return }
    let place = keptMembers.firstIndex { name.utf8.lexicographicallyPrecedes($0.name.utf8) } ?? keptMembers.endIndex
    keptMembers.insert(KeptMember(name, json: json), at: place)
    assert(keptMember(named: name)?.json == json, "another member is kept under the name \(name)")
  }
}

extension PolicyProperty: Hashable {
  /// Whether both are the same row.
  public static func == (one: PolicyProperty, other: PolicyProperty) -> Bool { one === other }

  /// Hashes the number on the wire.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
