import AppProtection
import JSON
import PolicyDocuments
import Testing

/// Policies of every platform.
enum PlatformSamples {
  /// The real policies for Android.
  static func androidNames() throws -> [String] { try Samples.names().filter { $0.contains("-Android") } }

  static func policy(named name: String) throws -> PolicyDocument {
    try #require(try PolicyFile.read(Samples.bytes(name), name: name).policies.first).policy
  }

  /// A policy of a platform with these members.
  static func item(_ platform: PolicyPlatform, _ members: String) throws -> PolicyFile.Item {
    let file = try PolicyFile.read(Array(text(platform, members).utf8))
    try #require(file.policies.count == 1 && file.refusals.isEmpty)
    return file.policies[0]
  }

  static func policy(_ platform: PolicyPlatform, _ members: String = "") throws -> PolicyDocument {
    try item(platform, members).policy
  }

  static func text(_ platform: PolicyPlatform, _ members: String) -> String {
    "{\"@odata.type\": \"#microsoft.graph.\(type(platform))\"\(members.isEmpty ? "" : ", ")\(members)}"
  }

  static func type(_ platform: PolicyPlatform) -> String {
    switch platform {
    case .ios: "iosManagedAppProtection"
    case .android: "androidManagedAppProtection"
    case .windows: "windowsManagedAppProtection"
    }
  }

  /// A value of a setting in Graph's JSON.
  static func json(_ property: PolicyProperty, on platform: PolicyPlatform) -> String {
    let identifier =
      switch platform {
      case .ios: "bundleId"
      case .android: "packageId"
      case .windows: "windowsAppId"
      }
    return switch property.kind {
    case .text: "\"9.0\""
    case .flag: "true"
    case .number: "7"
    case .duration: "\"PT12H\""
    case .date: "\"2026-01-05T09:00:00Z\""
    case .choice(let names), .flags(let names): "\"\(names.members[1].name)\""
    case .choices(let names): "[\"\(names.members[1].name)\"]"
    case .texts: "[\"one\", \"two\"]"
    case .pairs: "[{\"name\": \"com.contoso.app\", \"value\": \"An app\"}]"
    case .apps: "[{\"mobileAppIdentifier\": {\"\(identifier)\": \"com.contoso.app\"}}]"
    case .assignments: "[{\"target\": {\"groupId\": \"g\"}}]"
    }
  }
}
