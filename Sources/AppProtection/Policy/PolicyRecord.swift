import EventSourcing
import WireFormat

/// The policy that an account has.
public struct PolicyRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// The policy as the service delivered it.
  public let document: PolicyDocument
  /// How many policies the account has received since it was enrolled, from 1. The document's own version, an entity
  /// tag, stands in the document.
  public internal(set) var version: UInt64
  /// The event that delivered it.
  public internal(set) var receivedBy: UInt64
  /// Whether it is enforced in the running process; a first policy is enforced only after a restart.
  public internal(set) var isEnforced: Bool
  /// What the document comes to where it is enforced. It follows from the document, so it is neither stored nor shown; it
  /// is kept because decisions are asked for far more often than policies arrive.
  let inForce: EffectivePolicy

  init(account: AccountNumber, document: PolicyDocument, version: UInt64, receivedBy: UInt64, isEnforced: Bool) {
    self.account = account
    self.document = document
    self.version = version
    self.receivedBy = receivedBy
    self.isEnforced = isEnforced
    inForce = EffectivePolicy(account: account, document: document)
  }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2) { document.encode(into: &$0) }
    writer.write(3, unsigned: version)
    writer.write(4, unsigned: receivedBy)
    writer.write(5, bool: isEnforced)
  }

  /// Reads what `encode(into:)` wrote; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var document: PolicyDocument?
    var version: UInt64 = 0
    var receivedBy: UInt64 = 0
    var isEnforced = false
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2:
        document = try reader.message(field) { (inner) throws(WireError) in try PolicyDocument(from: &inner) }
      case 3: version = try reader.unsigned(field)
      case 4: receivedBy = try reader.unsigned(field)
      case 5: isEnforced = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      account: try reader.require(account, field: 1), document: try reader.require(document, field: 2),
      version: version, receivedBy: receivedBy, isEnforced: isEnforced)
  }

  /// The record's own members, then those of the document under their Graph names. The document's `version` is shown as
  /// `entityTag`, because `version` is the count that people can compare.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [
      .init("version", .integer(Int64(clamping: version))),
      .init("enforced", .bool(isEnforced)),
      .init("receivedBy", .pending(receivedBy)),
    ]
    if case .members(let properties) = document.tree() {
      members += properties.map { $0.name == "version" ? .init("entityTag", $0.tree) : $0 }
    }
    return .members(members)
  }
}
