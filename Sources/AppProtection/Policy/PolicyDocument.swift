import EventSourcing
import WireFormat

/// An app protection policy as a value: every setting of Graph's `iosManagedAppProtection` and
/// `defaultManagedAppProtection`, and everything else its document said. Of policies for other platforms, which only files
/// hold, it has the settings that they share with those as such, and all others among ``keptMembers``.
///
/// ```swift
/// if policy.dataTransfer.saveAsBlocked == true { … }
/// ```
///
/// Settings are optional: a document need not mention them. No default is filled in; each decision has its own rule for
/// an absent setting. A document goes through JSON and wire format without loss: the difference between an absent
/// member, one that is `null` and one that is empty; the texts of durations and dates; the order of lists; members and
/// fields that this program does not know. Order of members and white space are not kept.
///
/// An unknown member of an enumeration is `unrecognized`; treat it as the most restrictive one.
///
/// When a typed setting is changed in a document that keeps that member's JSON (``keptMembers``), remove the kept
/// member: it wins when the document is written. ``subscript(_:)`` does so automatically.
public struct PolicyDocument: Sendable {
  /// Shared between copies until one of them is changed: states are copied for every event, policies hardly ever
  /// change.
  var storage: Storage

  /// What kind of policy it is.
  public var kind: PolicyKind {
    get { storage.kind }
    _modify {
      makeUnique()
      yield &storage.kind
    }
  }
  /// The policy's name and revision.
  public var about: About {
    get { storage.about }
    _modify {
      makeUnique()
      yield &storage.about
    }
  }
  /// To whom and to which apps it applies.
  public var targeting: Targeting {
    get { storage.targeting }
    _modify {
      makeUnique()
      yield &storage.targeting
    }
  }
  /// Where organization data may go, and from where data may come in.
  public var dataTransfer: DataTransfer {
    get { storage.dataTransfer }
    _modify {
      makeUnique()
      yield &storage.dataTransfer
    }
  }
  /// Which apps open links, numbers and messages.
  public var redirection: Redirection {
    get { storage.redirection }
    _modify {
      makeUnique()
      yield &storage.redirection
    }
  }
  /// Which surfaces of the device may show or receive organization data.
  public var surfaces: Surfaces {
    get { storage.surfaces }
    _modify {
      makeUnique()
      yield &storage.surfaces
    }
  }
  /// How data at rest is protected.
  public var encryption: Encryption {
    get { storage.encryption }
    _modify {
      makeUnique()
      yield &storage.encryption
    }
  }
  /// What a user must do first.
  public var access: Access {
    get { storage.access }
    _modify {
      makeUnique()
      yield &storage.access
    }
  }
  /// Conditions that are checked when the app is opened.
  public var conditionalLaunch: ConditionalLaunch {
    get { storage.conditionalLaunch }
    _modify {
      makeUnique()
      yield &storage.conditionalLaunch
    }
  }
  /// Settings that only a default policy has.
  public var defaultPolicy: DefaultPolicySettings {
    get { storage.defaultPolicy }
    _modify {
      makeUnique()
      yield &storage.defaultPolicy
    }
  }
  /// Members of the JSON document that are kept unchanged, in the order of their names' bytes.
  public var keptMembers: [KeptMember] {
    get { storage.keptMembers }
    _modify {
      makeUnique()
      yield &storage.keptMembers
    }
  }
  /// The numbers of the settings that are `null` in the document, in ascending order.
  public var nullNumbers: [Int] { storage.nullNumbers }

  /// A field of the wire format that is written back unchanged, in place of the typed value.
  struct PreservedField: Equatable, Sendable {
    var number: Int
    /// The field with its tag.
    var bytes: [UInt8]
  }

  /// Creates a policy in which nothing is set.
  public init(kind: PolicyKind = .targetedPolicy) {
    storage = Storage(kind: kind)
  }

  /// Gives this copy its own storage. Call it before every change.
  mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
  }

  /// What the document says about a setting. Setting it also discards the member's kept JSON.
  ///
  /// A value of another kind than the property's counts as absent.
  public subscript(property: PolicyProperty) -> PolicySetting {
    get {
      if let value = property.read(self) { return .value(value) }
      if property.isKept { return keptMember(named: property.name)?.json == "null" ? .null : .absent }
      return nullNumbers.contains(property.number) ? .null : .absent
    }
    set {
      makeUnique()
      storage.nullNumbers.removeAll { $0 == property.number }
      storage.keptMembers.removeAll { $0.name.utf8.elementsEqual(property.name.utf8) }
      storage.preservedFields.removeAll { $0.number == property.number }
      switch newValue {
      case .value(let value): property.write(&self, value)
      case .absent: property.write(&self, nil)
      case .null:
        property.write(&self, nil)
        guard !property.isKept else { return keep(property.name, json: "null") }
        let index = nullNumbers.firstIndex { $0 > property.number } ?? nullNumbers.endIndex
        storage.nullNumbers.insert(property.number, at: index)
        assert(nullNumbers.isAscending(by: <), "the numbers of what is null are not in order")
      }
    }
  }

  /// The settings that differ from those of `other`, in the order of the property table.
  public func changedProperties(from other: PolicyDocument) -> [PolicyProperty] {
    PolicyProperty.all.filter { self[$0] != other[$0] }
  }
}

extension PolicyDocument: Message {
  /// Whether both are written as the same bytes. O(1) for copies of one another.
  ///
  /// Strings count as equal only when their bytes are, which is stricter than Swift's own comparison.
  public static func == (one: PolicyDocument, other: PolicyDocument) -> Bool {
    one.storage === other.storage || one.encoded == other.encoded
  }

  private var encoded: [UInt8] {
    var writer = WireWriter()
    encode(into: &writer)
    return writer.bytes
  }
}

/// What kind of policy a document is.
public enum PolicyKind: String, PolicyChoice {
  /// A policy for the groups it is assigned to.
  case targetedPolicy = "iosManagedAppProtection"
  /// The policy for users whom no targeted policy covers. A targeted policy replaces it; the two are not merged.
  case defaultPolicy = "defaultManagedAppProtection"
  /// A policy for Android. Files hold it, journals do not.
  case androidPolicy = "androidManagedAppProtection"
  /// A policy for Windows. Files hold it, journals do not.
  case windowsPolicy = "windowsManagedAppProtection"
  /// A kind that this program does not know.
  case unrecognized

  /// The kinds that journals hold: an app enforces no policy for another platform.
  public static let allCases: [PolicyKind] = [.targetedPolicy, .defaultPolicy, .unrecognized]

  /// The number on the wire. Journals read those of other platforms as ``unrecognized``.
  public var number: UInt64 {
    switch self {
    case .targetedPolicy: 0
    case .defaultPolicy: 1
    case .androidPolicy: 2
    case .windowsPolicy: 3
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "PolicyKind"
}
