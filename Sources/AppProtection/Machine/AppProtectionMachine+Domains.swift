import EventSourcing
import WireFormat

extension TraceFinding: HistoryFinding {}

extension AppProtectionMachine: HistoryDomain {
  /// An account's user principal name and object id, where the state has them.
  public static func identities(
    of number: UInt64, _ kind: ReferenceDescriptor, in state: AppProtectionState
  ) -> [String] {
    guard kind == AccountNumber.kind, let raw = UInt32(exactly: number), let account = AccountNumber(raw),
      let record = state.accounts[account]
    else { return [] }
    return [record.userPrincipalName, record.objectID?.description].compactMap { $0 }
  }

  /// What the event's payload says of itself.
  public static func describe(_ event: AppProtectionEvent, in headline: Headline) {
    event.describe(in: headline)
  }
}

extension AppProtectionMachine: HandoverDomain {
  /// Writes a command: so that a repetition under an idempotency key can be distinguished from a different command under the
  /// same key, and so that processes can hand commands to each other. ``decodeCommand(from:)`` reads it.
  public static func encode(_ command: AppProtectionCommand, into writer: inout WireWriter) {
    writer.write(1, unsigned: command.name.number)
    command.encodeFields(into: &writer)
  }

  /// Reads what ``encode(_:into:)`` wrote; `nil` for a command that only a newer program knows.
  public static func decodeCommand(from reader: inout WireReader) throws(WireError) -> AppProtectionCommand? {
    guard let field = try reader.nextField(), field.number == 1 else {
      throw WireError(.missing(field: 1), at: reader.offset)
    }
    let name = AppProtectionCommand.Name(number: try reader.unsigned(field))
    return try name.flatMap { AppProtectionCommand.blanks[$0] }?.decodeFields(from: &reader)
  }

  /// The accounts that a command names and the state knows.
  public static func sealingAccounts(of command: AppProtectionCommand, in state: AppProtectionState) -> [UInt64] {
    command.accounts.compactMap { state.account(for: $0).map { UInt64($0.account.rawValue) } }
  }
}
