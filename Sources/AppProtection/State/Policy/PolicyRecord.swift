import EventSourcing

/// The policy that an account has.
public struct PolicyRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// The policy as the service delivered it.
  public let document: PolicyDocument
  /// How many policies the account has received since it was enrolled, from 1. The document's own version, an entity
  /// tag, is in the document.
  public internal(set) var version: UInt64
  /// The event that delivered it.
  public internal(set) var receivedBy: UInt64
  /// Whether it is enforced in the running process; a first policy is enforced only after a restart.
  public package(set) var isEnforced: Bool
  /// The effect of the document where it is enforced. It is derived from the document, so it is neither stored nor
  /// shown; it is cached because decisions are far more frequent than new policies.
  let inForce: EffectivePolicy

  package init(account: AccountNumber, document: PolicyDocument, version: UInt64, receivedBy: UInt64, isEnforced: Bool)
  {
    self.account = account
    self.document = document
    self.version = version
    self.receivedBy = receivedBy
    self.isEnforced = isEnforced
    inForce = EffectivePolicy(account: account, document: document)
  }

  /// The record's own members, then those of the document under their Graph names. The document's `version` is shown as
  /// `entityTag`, because `version` is the count that people can compare.
  public func tree() -> StateTree { tree(of: PolicyProperty.all) }

  private func tree(of settings: [PolicyProperty]) -> StateTree {
    var members = ownMembers
    if case .members(let properties) = document.tree(of: settings) {
      members += properties.map { $0.name == "version" ? .init("entityTag", $0.tree) : $0 }
    }
    return .members(members)
  }

  private var ownMembers: [StateTree.Member] {
    [
      .init("version", .integer(Int64(clamping: version))),
      .init("enforced", .bool(isEnforced)),
      .init("receivedBy", .pending(receivedBy)),
    ]
  }

  /// Compares the trees, as far as the documents differ.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    if document == later.document {
      differ.compare(.members(ownMembers), .members(later.ownMembers), at: place)
    } else {
      let settings = document.settings(unlike: later.document)
      differ.compare(tree(of: settings), later.tree(of: settings), at: place)
    }
  }
}

extension PolicyRecord: FormedMessage {
  /// The stored part of the record.
  public struct Form: FieldList {
    var account: AccountNumber
    var document: PolicyDocument
    var version: UInt64
    var receivedBy: UInt64
    var isEnforced: Bool

    /// The value that decoding starts from.
    public static var blank: Self {
      Self(account: .first, document: PolicyDocument(), version: 0, receivedBy: 0, isEnforced: false)
    }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "account", &form.account, required: true, shown: false)
      try field(2, "document", &form.document, required: true, shown: false)
      try field(3, "version", &form.version)
      try field(4, "receivedBy", &form.receivedBy, as: .sequence)
      try field(5, "enforced", &form.isEnforced)
    }
  }

  /// The fields of this record.
  public var form: Form {
    Form(account: account, document: document, version: version, receivedBy: receivedBy, isEnforced: isEnforced)
  }

  /// The record that the fields represent.
  public init(_ form: Form) {
    self.init(
      account: form.account, document: form.document, version: form.version, receivedBy: form.receivedBy,
      isEnforced: form.isEnforced)
  }
}
