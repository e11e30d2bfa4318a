import EventSourcing
import WireFormat

extension Assumptions {
  /// Sets one choice by the number of its field in `descriptor`, for callers that read names: a `bool` by 0 and 1, an
  /// enumeration by its member's number. Returns `false` if the field does not exist or the number is not one of its
  /// members.
  public mutating func set(_ field: Int, to number: UInt64) -> Bool {
    guard let described = Self.descriptor.fields.first(where: { $0.number == field }) else { return false }
    if case .bool = described.type, number > 1 { return false }
    // The last occurrence of a field counts, so an appended one overrides the current value.
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
