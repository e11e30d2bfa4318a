import AppProtection
import AppProtectionKit
import EventSourcing
import Foundation
import PolicyServices

/// A service folder for a test, removed at the end.
public final class TestFolder: Sendable {
  /// Where it is.
  public let path: String

  /// The object id of a user in the group finance, whose name is `alice@contoso.com`.
  public static let alice = "0a1b2c3d-0000-4000-8000-00000000000a"
  /// The object id of a user in no group, whose name is `bob@contoso.com`.
  public static let bob = "0a1b2c3d-0000-4000-8000-00000000000b"

  /// A folder with a name of its own.
  public convenience init() throws {
    try self.init(at: FileManager.default.temporaryDirectory.appending(path: "service-\(UUID())").path)
  }

  /// Alice in finance, Bob in none; a policy for finance.
  public init(at path: String) throws {
    self.path = path
    for folder in ["policies", "configurations"] {
      try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    }
    try write(
      "users.json",
      """
      {"groups": ["finance", "contractors"], "users": [
        {"id": "\(Self.alice)", "userPrincipalName": "alice@contoso.com", "groups": ["finance"]},
        {"id": "\(Self.bob)", "userPrincipalName": "bob@contoso.com"}
      ]}
      """)
    try write(
      "assignments.json", #"{"assignments": [{"document": "policies/basic.json", "groups": ["finance"]}]}"#)
    try write("policies/basic.json", Self.policy("Basic", #""pinRequired": true, "minimumPinLength": 4"#))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file.
  public func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// Removes a file.
  public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  /// A policy document with this name and these members.
  public static func policy(_ name: String, _ members: String) -> String {
    """
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "T_\(name)", "displayName": "\(name)",
     \(members)}
    """
  }

  /// A service on the folder whose pauses end at once.
  public func service(bundleID: String? = nil, atPause: (@Sendable (Int64) -> Void)? = nil) -> DirectoryService {
    DirectoryService(at: path, bundleID: bundleID, pause: ServicePause { nanoseconds in atPause?(nanoseconds) })
  }
}

extension ServiceRequest {
  /// Alice, by her object id.
  public static let alice = ServiceRequest(
    account: .first, objectID: GUID(TestFolder.alice), userPrincipalName: nil, intent: 7)
  /// Bob, by his name in another case.
  public static let bob = ServiceRequest(
    account: .first, objectID: nil, userPrincipalName: "BOB@contoso.com", intent: 8)
  /// A user whom no folder lists.
  public static let stranger = ServiceRequest(
    account: .first, objectID: nil, userPrincipalName: "carol@contoso.com", intent: 9)
}
