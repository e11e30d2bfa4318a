import EventSourcing
import WireFormat

/// Where one account stands with conditional access.
public struct RemediationRecord: AccountRecord {
  /// The account.
  public let account: AccountNumber
  /// Where it stands.
  public internal(set) var status = RemediationStatus.unknown
  /// Whether the remediation asked for last must not ask the user anything.
  public internal(set) var isSilent = false
  /// The event that asked for it, while it is queued or under way.
  public internal(set) var requestedBy: UInt64 = 0
  /// How many remediations in a row ended in the demand for interaction.
  public internal(set) var interactionDemands: UInt32 = 0
  /// How many times in a row a token was refused after a compliant remediation, without a check-in between.
  public internal(set) var refusalsAfterCompliance: UInt32 = 0

  init(account: AccountNumber) {
    self.account = account
  }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, enumeration: status)
    writer.write(3, bool: isSilent)
    writer.write(4, unsigned: requestedBy)
    writer.write(5, unsigned: UInt64(interactionDemands))
    writer.write(6, unsigned: UInt64(refusalsAfterCompliance))
  }

  /// Reads what `encode(into:)` wrote; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var read = RemediationRecord(account: .first)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: read.status = try reader.enumeration(field, as: RemediationStatus.self)
      case 3: read.isSilent = try reader.bool(field)
      case 4: read.requestedBy = try reader.unsigned(field)
      case 5: read.interactionDemands = try reader.unsigned(field, as: UInt32.self)
      case 6: read.refusalsAfterCompliance = try reader.unsigned(field, as: UInt32.self)
      default: try reader.skip(field)
      }
    }
    self.init(account: try reader.require(account, field: 1))
    status = read.status
    isSilent = read.isSilent
    requestedBy = read.requestedBy
    interactionDemands = read.interactionDemands
    refusalsAfterCompliance = read.refusalsAfterCompliance
  }

  /// The record for people.
  public func tree() -> StateTree {
    .members([
      .init("status", .name(status.name)),
      .init("isSilent", .bool(isSilent)),
      .init("requestedBy", .pending(requestedBy)),
      .init("interactionDemands", .integer(Int64(interactionDemands))),
      .init("refusalsAfterCompliance", .integer(Int64(refusalsAfterCompliance))),
    ])
  }
}
