/// What a starting process knows about itself and the device.
public struct ProcessStart: Equatable, Sendable {
  /// The device's boot session, where it is known.
  public var bootSession: GUID?
  /// The version of the app.
  public var appVersion = ""
  /// The version of the SDK whose rules apply.
  public var sdkVersion = ""
  /// The version of the operating system.
  public var osVersion = ""
  /// The device's model identifier.
  public var deviceModel = ""
  /// Whether the process is an app extension.
  public var isExtension = false
  /// What the app found out about the device; `nil` keeps what is known.
  public var device: DeviceFacts?

  /// Creates a description that says nothing.
  public init() {}
}
