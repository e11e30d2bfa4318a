import EventSourcing
import WireFormat

extension LedgerMachine: HandoverDomain {
  static func decodeCommand(from reader: inout WireReader) throws(WireError) -> LedgerCommand? {
    var (owner, email): (String?, String?) = (nil, nil)
    var numbers: (UInt64, UInt64, Int64) = (0, 0, 0)
    var isMove = false
    var texts: [String] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: owner = try reader.string(field)
      case 2: email = try reader.string(field)
      case 3: (numbers.0, isMove) = (try reader.unsigned(field), true)
      case 4: numbers.1 = try reader.unsigned(field)
      case 5: numbers.2 = try reader.signed(field)
      case 6: texts.append(try reader.string(field))
      case 7: return .close(try reader.unsigned(field))
      case 8: return .start
      // A command of the next version.
      default: return nil
      }
    }
    if let owner { return .open(owner, email: email) }
    return isMove ? .move(from: numbers.0, to: numbers.1, numbers.2) : .note(texts)
  }
}
