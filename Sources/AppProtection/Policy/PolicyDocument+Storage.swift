extension PolicyDocument {
  /// A document's contents.
  ///
  /// Unchecked, because it has variables. They are safe: a storage is changed only by the `PolicyDocument` that holds the
  /// single reference to it (``PolicyDocument/makeUnique()``), and one value cannot be changed and read at the same time.
  final class Storage: @unchecked Sendable {
    var kind: PolicyKind
    var about = About()
    var targeting = Targeting()
    var dataTransfer = DataTransfer()
    var redirection = Redirection()
    var surfaces = Surfaces()
    var encryption = Encryption()
    var access = Access()
    var conditionalLaunch = ConditionalLaunch()
    var defaultPolicy = DefaultPolicySettings()
    var keptMembers: [KeptMember] = []
    var nullNumbers: [Int] = []
    /// Fields on the wire that hold more than this program understands, in the order of their numbers.
    var preservedFields: [PreservedField] = []

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
