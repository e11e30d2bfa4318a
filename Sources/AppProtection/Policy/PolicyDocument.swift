/// An app protection policy for iOS as a value: every setting of Graph's `iosManagedAppProtection` and
/// `defaultManagedAppProtection`, and everything else its document said.
///
/// ```swift
/// if policy.dataTransfer.saveAsBlocked == true { … }
/// ```
///
/// Settings are optional: a document need not mention them. Nothing is filled in; what a decision does without a setting
/// is that decision's rule. A document goes through JSON and wire format without loss: the difference between an absent
/// member, one that is `null` and one that is empty; the texts of durations and dates; the order of lists; members and
/// fields that this program does not know. Order of members and white space are not kept.
///
/// An enumeration's member that is not known is `unrecognized`; treat it as the most restrictive one.
///
/// When a typed setting is changed in a document that keeps that member's JSON (``keptMembers``), remove the kept member:
/// it wins when the document is written. ``subscript(_:)`` does so by itself.
public struct PolicyDocument: Equatable, Sendable {
  /// What kind of policy it is.
  public var kind: PolicyKind
  /// What the policy is called, and which revision it is.
  public var about = About()
  /// To whom and to which apps it applies.
  public var targeting = Targeting()
  /// Where organization data may go, and from where data may come in.
  public var dataTransfer = DataTransfer()
  /// Which apps open links, numbers and messages.
  public var redirection = Redirection()
  /// Which surfaces of the device may show organization data or take it in.
  public var surfaces = Surfaces()
  /// How data at rest is protected.
  public var encryption = Encryption()
  /// What a user must do first.
  public var access = Access()
  /// Conditions that are checked when the app is opened.
  public var conditionalLaunch = ConditionalLaunch()
  /// Settings that only a default policy has.
  public var defaultPolicy = DefaultPolicySettings()
  /// Members of the JSON document that are kept as they came, in the order of their names' bytes.
  public var keptMembers: [KeptMember] = []
  /// The numbers of the settings that are `null` in the document, rising.
  public internal(set) var nullNumbers: [Int] = []
  /// Fields on the wire that hold more than this program understands, in the order of their numbers.
  var preservedFields: [PreservedField] = []

  /// A field of the wire format that is written again as it came, in place of what the program makes of it.
  struct PreservedField: Equatable, Sendable {
    var number: Int
    /// The field with its tag.
    var bytes: [UInt8]
  }

  /// Creates a policy in which nothing is set.
  public init(kind: PolicyKind = .targetedPolicy) {
    self.kind = kind
  }

  /// What the document says about a setting. Setting it also forgets what was kept of the member's JSON.
  ///
  /// A value of another kind than the property's counts as absent.
  public subscript(property: PolicyProperty) -> PolicySetting {
    get {
      if let value = property.read(self) { return .value(value) }
      return nullNumbers.contains(property.number) ? .null : .absent
    }
    set {
      nullNumbers.removeAll { $0 == property.number }
      keptMembers.removeAll { $0.name.utf8.elementsEqual(property.name.utf8) }
      preservedFields.removeAll { $0.number == property.number }
      switch newValue {
      case .value(let value): property.write(&self, value)
      case .absent: property.write(&self, nil)
      case .null:
        property.write(&self, nil)
        let index = nullNumbers.firstIndex { $0 > property.number } ?? nullNumbers.endIndex
        nullNumbers.insert(property.number, at: index)
      }
    }
  }

  /// The settings about which this document says something else than `other`, in the order of the property table.
  public func changedProperties(from other: PolicyDocument) -> [PolicyProperty] {
    PolicyProperty.all.filter { self[$0] != other[$0] }
  }
}
