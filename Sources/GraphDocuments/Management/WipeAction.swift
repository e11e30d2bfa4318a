import AppProtection
import JSON

/// A request to remove data (Graph: `windowsInformationProtectionWipeAction`).
public struct WipeAction: Equatable, Sendable {
  /// The progress of a request: `actionState` in Graph.
  public enum State: String, Equatable, Sendable, CaseIterable {
    /// Nothing was requested.
    case nothing = "none"
    /// The request is waiting.
    case pending
    /// The request was withdrawn.
    case canceled
    /// The request is being carried out.
    case active
    /// The request is complete.
    case done
    /// The request failed.
    case failed
    /// The device does not support the request.
    case notSupported
    /// An unknown state.
    case unrecognized

    /// The number in Graph; 127 for an unknown state.
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

  /// The progress of the request.
  public let status: State?
  /// The user whose data is concerned.
  public let userID: String?
  /// The device's registration.
  public let registrationID: String?
  /// The device's name.
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
