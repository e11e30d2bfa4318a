/// A starting process's description of itself and the device.
public struct ProcessStart: Equatable, Sendable {
  /// The device's boot session, if known.
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
  /// The facts the app found out about the device; `nil` keeps the known ones.
  public var device: DeviceFacts?

  /// Creates an empty description.
  public init() {}
}
