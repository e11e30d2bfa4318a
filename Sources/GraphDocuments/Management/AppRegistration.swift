import AppProtection
import JSON

/// An app on a user's device, as known to the service (Graph: `managedAppRegistration`).
///
/// Lists the policies that the app had at its last check-in and those that the administrator intends. The difference is
/// exactly what the app has not fetched yet: ``deliveries``.
public struct AppRegistration: Equatable, Sendable {
  /// Why the service flags a device.
  public enum FlaggedReason: String, Equatable, Sendable, CaseIterable {
    /// No reason.
    case nothing = "none"
    /// The device is jailbroken or rooted.
    case rootedDevice
    /// The boot loader is unlocked (Android).
    case androidBootloaderUnlocked
    /// The system was modified (Android).
    case androidFactoryRomModified
    /// An unknown reason.
    case unrecognized
  }

  /// How an app's policy differs from the intended one.
  public enum Delivery: Equatable, Sendable {
    /// The app has the intended revision.
    case current
    /// The app has another revision; the value lists the settings that differ, by name.
    case outdated([String])
    /// The app does not have it yet.
    case notDelivered
    /// The app still has the policy but should not.
    case notWithdrawn
  }

  /// Texts about the app and its device, keyed by their names in Graph.
  public let texts: [String: String]
  /// When the app was first registered.
  public let createdDateTime: PolicyDate?
  /// When the app last checked in.
  public let lastSyncDateTime: PolicyDate?
  /// Why the service flags the device.
  public let flaggedReasons: [FlaggedReason]
  /// The app's bundle identifier.
  public let bundleID: String?
  /// The policies that the app had at its last check-in; `nil` if the document does not list them.
  public let appliedPolicies: [PolicyDocument]?
  /// The policies that the administrator intends; `nil` if the document does not list them.
  public let intendedPolicies: [PolicyDocument]?
  /// The service's current operations on the app.
  public let operations: [AppOperation]
  /// The requests for the app's logs (Graph beta).
  public let logCollectionRequests: [LogCollectionRequest]

  /// The names of the texts with their titles for display.
  static let names: [(name: String, title: String, isPrivate: Bool)] = [
    ("id", "Identifier", true), ("applicationVersion", "App version", false),
    ("managementSdkVersion", "SDK version", false), ("platformVersion", "OS version", false),
    ("deviceType", "Device type", false), ("deviceName", "Device name", true), ("deviceTag", "Device tag", true),
    ("deviceModel", "Device model", false), ("deviceManufacturer", "Manufacturer", false),
    ("userId", "User", true), ("managedDeviceId", "Managed device", true),
    ("azureADDeviceId", "Directory's device", true), ("version", "Version", false),
  ]

  init(_ node: JSONNode) throws(PolicyDocumentError) {
    var texts: [String: String] = [:]
    for entry in Self.names { texts[entry.name] = try node.texts(entry.name)[0] }
    self.texts = texts
    createdDateTime = try node.date("createdDateTime")
    lastSyncDateTime = try node.date("lastSyncDateTime")
    flaggedReasons = try node.list("flaggedReasons") { (reason) throws(JSONError) in
      FlaggedReason(rawValue: try reason.string()) ?? .unrecognized
    }
    bundleID = try PolicyDocumentError.translate { () throws(JSONError) in try node.appIdentifier("appIdentifier") }
    appliedPolicies = try Self.policies(node, "appliedPolicies")
    intendedPolicies = try Self.policies(node, "intendedPolicies")
    var operations: [AppOperation] = []
    for entry in try node.list("operations", { (entry) throws(JSONError) in entry }) {
      operations.append(try AppOperation(entry))
    }
    self.operations = operations
    var requests: [LogCollectionRequest] = []
    for entry in try node.list("managedAppLogCollectionRequests", { (entry) throws(JSONError) in entry }) {
      requests.append(try LogCollectionRequest(entry))
    }
    logCollectionRequests = requests
  }

  /// The policies for iOS in a list; configurations and policies for other systems are skipped.
  private static func policies(_ node: JSONNode, _ name: String) throws(PolicyDocumentError) -> [PolicyDocument]? {
    guard node.value.object?[name]?.array != nil else { return nil }
    var policies: [PolicyDocument] = []
    for entry in try node.list(name, { (entry) throws(JSONError) in entry }) {
      guard let type = entry.value.object?["@odata.type"]?.string,
        GraphTypeName(annotation: type).policyKind?.platform == .ios
      else { continue }
      policies.append(try PolicyDocument(graph: entry))
    }
    return policies
  }

  /// The delivery status of each policy: first the intended ones, then those that only the app has, each in the order
  /// of its list. Empty if the document lacks one of the two lists.
  public var deliveries: [(policy: PolicyDocument, delivery: Delivery)] {
    guard let applied = appliedPolicies, let intended = intendedPolicies else { return [] }
    func key(_ policy: PolicyDocument) -> String {
      policy.about.id.map { "id \($0)" } ?? "name \(policy.about.displayName ?? "")"
    }
    let has = Dictionary(applied.map { (key($0), $0) }) { first, _ in first }
    let wanted = intended.map { policy -> (policy: PolicyDocument, delivery: Delivery) in
      guard let has = has[key(policy)] else { return (policy, .notDelivered) }
      let changed = policy.changedProperties(from: has).filter { !$0.isSame(in: policy, as: has) }.map(\.name)
      return (policy, changed.isEmpty ? .current : .outdated(changed))
    }
    let keys = Set(intended.map(key))
    return wanted + applied.filter { !keys.contains(key($0)) }.map { ($0, .notWithdrawn) }
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    var rows = [Row("App", bundleID)]
    rows += Self.names.map { Row($0.title, texts[$0.name], isPrivate: $0.isPrivate) }
    rows += [
      Row("Registered", createdDateTime?.text), Row("Last check-in", lastSyncDateTime?.text),
      Row("Flagged", flaggedReasons.filter { $0 != .nothing }.map(\.rawValue).joined(separator: ", ")),
    ]
    rows += deliveries.map { policy, delivery in
      let words =
        switch delivery {
        case .current: "as intended"
        case .outdated(let names): "changed since the last check-in: \(names.joined(separator: ", "))"
        case .notDelivered: "assigned since the last check-in"
        case .notWithdrawn: "withdrawn since the last check-in"
        }
      return Row("Policy \(policy.about.displayName ?? policy.about.id ?? "")", words)
    }
    rows += operations.map { Row("Operation \($0.displayName ?? "")", $0.state ?? "no state") }
    return rows.compactMap { $0 } + logCollectionRequests.flatMap(\.rows)
  }
}
