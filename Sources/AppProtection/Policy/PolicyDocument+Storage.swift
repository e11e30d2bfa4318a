extension PolicyDocument {
  /// A document's contents.
  ///
  /// Unchecked, because it has variables. They are safe: a storage is changed only by the `PolicyDocument` that holds the
  /// single reference to it (``PolicyDocument/makeUnique()``), and one value cannot be changed and read at the same time.
  /// Nor are accesses checked at run time: writing a policy reads every property.
  final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var kind: PolicyKind
    @exclusivity(unchecked) var about = About()
    @exclusivity(unchecked) var targeting = Targeting()
    @exclusivity(unchecked) var dataTransfer = DataTransfer()
    @exclusivity(unchecked) var redirection = Redirection()
    @exclusivity(unchecked) var surfaces = Surfaces()
    @exclusivity(unchecked) var encryption = Encryption()
    @exclusivity(unchecked) var access = Access()
    @exclusivity(unchecked) var conditionalLaunch = ConditionalLaunch()
    @exclusivity(unchecked) var defaultPolicy = DefaultPolicySettings()
    @exclusivity(unchecked) var keptMembers: [KeptMember] = []
    @exclusivity(unchecked) var nullNumbers: [Int] = []
    /// Fields on the wire that hold more than this program understands, in the order of their numbers.
    @exclusivity(unchecked) var preservedFields: [PreservedField] = []

    init(kind: PolicyKind) {
      self.kind = kind
    }

    init(copying other: Storage) {
      kind = other.kind
      about = other.about
      targeting = other.targeting
      dataTransfer = other.dataTransfer
      redirection = other.redirection
      surfaces = other.surfaces
      encryption = other.encryption
      access = other.access
      conditionalLaunch = other.conditionalLaunch
      defaultPolicy = other.defaultPolicy
      keptMembers = other.keptMembers
      nullNumbers = other.nullNumbers
      preservedFields = other.preservedFields
    }
  }
}
