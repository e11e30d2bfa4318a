import EventSourcing

/// The app's configuration: by device management for all accounts, and by the service for single accounts.
public struct ConfigurationSlice: FieldList {
  /// The configuration that device management delivers; `nil` if it delivers none.
  public internal(set) var device: DeviceConfiguration?
  /// The configurations that the service delivered, by account.
  public internal(set) var accounts = AccountTable<ConfigurationRecord>()

  init() {}

  /// The device's configuration, and the records under the names of their accounts.
  public func tree() -> StateTree {
    var members: [StateTree.Member] = [.init("device", device?.tree() ?? .value(.unset))]
    if case .members(let records) = accounts.tree() { members += records }
    return .members(members)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ configuration: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "device", &configuration.device)
    try configuration.accounts.visit(2, "accounts", &field)
  }
}
