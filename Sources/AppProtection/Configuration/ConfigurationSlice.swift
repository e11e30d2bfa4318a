import EventSourcing
import WireFormat

/// What the app is configured with: by device management for everybody, and by the service for single accounts.
public struct ConfigurationSlice: Equatable, Sendable {
  /// What device management delivers; `nil` when it delivers nothing.
  public internal(set) var device: DeviceConfiguration?
  /// What the service delivered, by account.
  public internal(set) var accounts = AccountTable<ConfigurationRecord>()

  init() {}

  func encode(into writer: inout WireWriter) {
    if let device { writer.write(1) { device.encode(into: &$0) } }
    accounts.encode(2, into: &writer)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        device = try reader.message(field) { (inner) throws(WireError) in try DeviceConfiguration(from: &inner) }
      case 2: try accounts.decodeElement(field, from: &reader)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    var members: [StateTree.Member] = [.init("device", device?.tree() ?? .value(.unset))]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }
}
