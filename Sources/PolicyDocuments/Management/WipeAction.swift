import AppProtection
import JSON

/// A request to remove data (Graph: `windowsInformationProtectionWipeAction`).
public struct WipeAction: Equatable, Sendable {
  /// How far a request has come: `actionState` in Graph.
  public enum State: String, Equatable, Sendable, CaseIterable {
    /// Nothing was asked.
    case nothing = "none"
    /// It waits.
    case pending
    /// It was taken back.
    case canceled
    /// It is being carried out.
    case active
    /// It is done.
    case done
    /// It failed.
    case failed
    /// The device cannot do it.
    case notSupported
    /// A state that is not known.
    case unrecognized

    /// The number in Graph; 127 for one that is not known.
    public var number: Int {
      switch self {
      case .nothing: 0
      case .pending: 1
      case .canceled: 2
      case .active: 3
      case .done: 4
      case .failed: 5
      case .notSupported: 6
      case .unrecognized: 127
      }
    }
  }

  /// How far it has come.
  public let status: State?
  /// Whose data it is about.
  public let userID: String?
  /// The registration of the device.
  public let registrationID: String?
  /// What the device is called.
  public let deviceName: String?
  /// The device's network address.
  public let macAddress: String?
  /// When the device last checked in.
  public let lastCheckInDateTime: PolicyDate?

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    let texts = try node.texts(
      "status", "targetedUserId", "targetedDeviceRegistrationId", "targetedDeviceName", "targetedDeviceMacAddress")
    status = texts[0].map { State(rawValue: $0) ?? .unrecognized }
    userID = texts[1]
    registrationID = texts[2]
    deviceName = texts[3]
    macAddress = texts[4]
    lastCheckInDateTime = try node.date("lastCheckInDateTime")
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    return [
      Row("Status", status?.rawValue), Row("User", userID, isPrivate: true),
      Row("Registration", registrationID, isPrivate: true), Row("Device name", deviceName, isPrivate: true),
      Row("Network address", macAddress, isPrivate: true), Row("Last check-in", lastCheckInDateTime?.text),
    ].compactMap { $0 }
  }
}
