import AppProtection
import AppProtectionKit
import Foundation
import PolicyServices
import Synchronization

/// A service folder of its own, removed at the end.
final class TestFolder: Sendable {
  let path: String

  static let alice = "0a1b2c3d-0000-4000-8000-00000000000a"
  static let bob = "0a1b2c3d-0000-4000-8000-00000000000b"

  /// Alice in finance, Bob in none; a policy for finance.
  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID())").path
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

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

  static func policy(_ name: String, _ members: String) -> String {
    """
    {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "T_\(name)", "displayName": "\(name)",
     \(members)}
    """
  }

  /// A service whose pauses are counted and end at once.
  func service(bundleID: String? = nil, atPause: (@Sendable (Int64) -> Void)? = nil) -> DirectoryService {
    DirectoryService(at: path, bundleID: bundleID, pause: ServicePause { nanoseconds in atPause?(nanoseconds) })
  }
}

extension ServiceRequest {
  static let alice = ServiceRequest(
    account: .first, objectID: GUID(TestFolder.alice), userPrincipalName: nil, intent: 7)
  static let bob = ServiceRequest(
    account: .first, objectID: nil, userPrincipalName: "BOB@contoso.com", intent: 8)
  static let stranger = ServiceRequest(
    account: .first, objectID: nil, userPrincipalName: "carol@contoso.com", intent: 9)
}

extension ServiceAnswer {
  /// The name of the policy; `nil` for any other answer.
  var policyName: String? {
    if case .policy(let document, _) = self { document.about.displayName ?? "combined" } else { nil }
  }

  /// The code of the failure.
  var code: UInt32? {
    if case .failure(let failure) = self { failure.code.rawValue } else { nil }
  }

  var error: String? {
    if case .failure(let failure) = self { failure.error } else { nil }
  }
}

/// What several tasks note, in order.
final class Notes<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) { list.withLock { $0.append(element) } }
}
