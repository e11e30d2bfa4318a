import EventSourcing
import WireFormat

extension Assumptions {
  /// Sets one choice by the number of its field in `descriptor`, for whoever reads names: a `bool` by 0 and 1, an
  /// enumeration by its member's number. `false` when there is no such field, or the number is none of its members.
  public mutating func set(_ field: Int, to number: UInt64) -> Bool {
    guard let described = Self.descriptor.fields.first(where: { $0.number == field }) else { return false }
    if case .bool = described.type, number > 1 { return false }
    // The last occurrence of a field is the one that counts, so what is appended overrules what holds.
    var writer = WireWriter()
    encode(into: &writer)
    writer.writePresent(field, unsigned: number)
    do throws(WireError) {
      self = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try Assumptions(from: &reader) }
      return true
    } catch {
      return false
    }
  }
}
