import EventSourcing
import WireFormat

/// The app's settings, and what device management prescribes.
public struct SettingsSlice: Equatable, Sendable {
  /// The app's settings.
  public internal(set) var app = AppSettings()
  /// The accounts that may sign in; `nil` lets everybody in, an empty list nobody.
  public internal(set) var allowedAccounts: [AccountNumber]?
  /// The account for which the device is managed; `nil` when it is not managed, or the user is not known.
  public internal(set) var deviceAccount: AccountNumber?
  /// Who says so; ``DeviceAccountSource/mdm`` while there is no such account.
  public internal(set) var deviceAccountSource = DeviceAccountSource.mdm

  init() {}

  /// Whether an account may sign in.
  public func allows(_ account: AccountNumber) -> Bool {
    allowedAccounts?.contains(account) ?? true
  }

  func encode(into writer: inout WireWriter) {
    writer.write(1) { app.encode(into: &$0) }
    if let allowedAccounts {
      writer.write(2, bool: true)
      for account in allowedAccounts { writer.write(3, account: account) }
    }
    writer.write(4, account: deviceAccount)
    writer.write(5, enumeration: deviceAccountSource)
  }

  init(from reader: inout WireReader) throws(WireError) {
    var isRestricted = false
    var listed: [AccountNumber] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: app = try reader.message(field) { (inner) throws(WireError) in try AppSettings(from: &inner) }
      case 2: isRestricted = try reader.bool(field)
      case 3: listed.append(try reader.require(try reader.account(field), field: 3))
      case 4: deviceAccount = try reader.account(field)
      case 5: deviceAccountSource = try reader.enumeration(field, as: DeviceAccountSource.self)
      default: try reader.skip(field)
      }
    }
    allowedAccounts = isRestricted ? listed : nil
  }

  func tree() -> StateTree {
    var members: [StateTree.Member] = []
    if case .members(let settings) = app.tree() { members = settings }
    members.append(
      .init("allowedAccounts", allowedAccounts.map { .list($0.map { .name($0.description) }) } ?? .unset))
    members.append(.init("deviceAccount", deviceAccount.map { .name($0.description) } ?? .unset))
    members.append(.init("deviceAccountSource", .name(deviceAccountSource.name)))
    return .members(members)
  }
}
