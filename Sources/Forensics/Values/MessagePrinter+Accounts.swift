import EventSourcing
import WireFormat

extension MessagePrinter {
  /// The accounts that a body names, without duplicates, in the order of the fields; `nil` where only ``MessageFields`` can
  /// find them. A message that cannot name accounts is skipped unread.
  func accounts(in body: [UInt8]) -> [UInt64]? {
    var accounts = DistinctNumbers()
    do throws(WireError) {
      try WireReader.decode(body) { (reader) throws(WireError) in try collectAccounts(in: &reader, into: &accounts) }
      return accounts.inOrder
    } catch {
      return nil
    }
  }

  private func collectAccounts(in reader: inout WireReader, into accounts: inout DistinctNumbers) throws(WireError) {
    var next = try reader.nextField()
    for field in accountFields {
      guard let first = next, first.number == field.number else { continue }
      while let found = next, found.number == field.number {
        // The last occurrence of a field that occurs once counts.
        if !field.isRepeated, found != first { throw Self.irregular(found) }
        if field.isAccount {
          let number = try reader.unsigned(found)
          if number != 0 { accounts.insert(number) }
        } else if let message = field.message, case .message(let printer) = fields[message].kind {
          var inner = WireReader(try reader.rawBytes(found))
          try printer.collectAccounts(in: &inner, into: &accounts)
        } else {
          try reader.skip(found)
        }
        next = try reader.nextField()
      }
    }
    if let next { throw Self.irregular(next) }
  }
}
