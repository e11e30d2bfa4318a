import EventSourcing

/// The facts that launch conditions depend on, besides the policies themselves.
public struct LaunchSlice: FieldTree {
  /// The clock by which deadlines are judged.
  public internal(set) var clock = LaunchClock()
  /// What the app found out about the device.
  public internal(set) var device = DeviceFacts()
  /// The app PIN.
  public internal(set) var pin = PINRecord()
  /// What is known about the accounts.
  public internal(set) var accounts = AccountTable<LaunchRecord>()

  init() {}

  /// Changes the record of an account, creating it if necessary.
  mutating func update(_ account: AccountNumber, _ change: (inout LaunchRecord) -> Void) {
    if accounts.index(of: account) == nil { accounts.set(LaunchRecord(account: account)) }
    accounts.update(account, change)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ launch: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "clock", &launch.clock, unless: LaunchClock())
    try field(2, "device", &launch.device, unless: DeviceFacts())
    try field(3, "pin", &launch.pin, unless: PINRecord())
    try launch.accounts.visit(4, "accounts", &field)
  }
}
