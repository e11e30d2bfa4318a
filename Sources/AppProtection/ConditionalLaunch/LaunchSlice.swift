import EventSourcing
import WireFormat

/// What launch conditions are judged by, besides the policies themselves.
public struct LaunchSlice: Equatable, Sendable {
  /// The clock by which deadlines are judged.
  public internal(set) var clock = LaunchClock()
  /// What the app found out about the device.
  public internal(set) var device = DeviceFacts()
  /// The app PIN.
  public internal(set) var pin = PINRecord()
  /// What is known about the accounts.
  public internal(set) var accounts = AccountTable<LaunchRecord>()

  init() {}

  /// Changes the record of an account, which is made where there is none.
  mutating func update(_ account: AccountNumber, _ change: (inout LaunchRecord) -> Void) {
    if accounts.index(of: account) == nil { accounts.set(LaunchRecord(account: account)) }
    accounts.update(account, change)
  }

  func encode(into writer: inout WireWriter) {
    if clock != LaunchClock() { writer.write(1) { clock.encode(into: &$0) } }
    if device != DeviceFacts() { writer.write(2) { device.encode(into: &$0) } }
    if pin != PINRecord() { writer.write(3) { pin.encode(into: &$0) } }
    accounts.encode(4, into: &writer)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: clock = try reader.message(field) { (inner) throws(WireError) in try LaunchClock(from: &inner) }
      case 2: device = try reader.message(field) { (inner) throws(WireError) in try DeviceFacts(from: &inner) }
      case 3: pin = try reader.message(field) { (inner) throws(WireError) in try PINRecord(from: &inner) }
      case 4: try accounts.decodeElement(field, from: &reader)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("clock", clock.tree()),
      .init("device", device.tree()),
      .init("pin", pin.tree()),
      .init("accounts", accounts.tree()),
    ])
  }
}
