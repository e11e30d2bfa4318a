extension GraphMember {
  /// The kind of value of a member that is kept as JSON.
  public enum Kind: Sendable {
    /// True or false.
    case flag
    /// A whole number.
    case number
    /// A version, or a date in place of one, as text.
    case version
    /// One of these names.
    case choice(Choice)
    /// Names of apps, packages, device models, kinds of files or places in the network, alone, in lists or as members.
    case names
    /// A duration or a date as text.
    case time

    /// What a property of the table holds that names no person; `nil` for any other.
    init?(_ property: PolicyProperty) {
      guard property.privacy == .public else { return nil }
      switch property.kind {
      case .flag: self = .flag
      case .number: self = .number
      case .duration, .date: self = .time
      case .choice(let names): self = .choice(Choice(names: Set(names.members.map(\.name))))
      case .text, .choices, .flags, .texts, .pairs: self = .names
      case .apps, .assignments: return nil
      }
    }
  }

  /// The names of an enumeration.
  public struct Choice: Sendable {
    let names: Set<String>

    /// `managedAppRemediationAction`.
    static let remediation = Choice(names: Set(RemediationAction.allCases.map(\.rawValue)))
    /// `androidManagedAppSafetyNetAppsVerificationType`.
    static let appsVerification = Choice(names: ["none", "enabled"])
    /// `androidManagedAppSafetyNetDeviceAttestationType`.
    static let deviceAttestation = Choice(
      names: ["none", "basicIntegrity", "basicIntegrityAndDeviceCertification"])
    /// `androidManagedAppSafetyNetEvaluationType`.
    static let evaluation = Choice(names: ["basic", "hardwareBacked"])
    /// `windowsInformationProtectionEnforcementLevel`.
    static let enforcement = Choice(
      names: ["noProtection", "encryptAndAuditOnly", "encryptAuditAndPrompt", "encryptAuditAndBlock"])
    /// `windowsInformationProtectionPinCharacterRequirements`.
    static let characters = Choice(names: ["notAllow", "requireAtLeastOne", "allow"])
  }
}

extension GraphMember.Kind {
  /// Whether a value, as JSON text in one line, is of this kind and so reveals nothing about a person.
  func holds(_ json: String) -> Bool {
    switch self {
    case .flag: json == "true" || json == "false"
    case .number: json.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    case .version:
      Self.text(json)?.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        ?? false
    case .choice(let choice): Self.text(json).map { choice.names.contains(String($0)) } ?? false
    case .time:
      Self.text(json).map { text in
        text.utf8.count < 40 && text.utf8.first.map { 0x30...0x39 ~= $0 || [0x2D, 0x50].contains($0) } == true
          && text.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF || [0x2B, 0x2D, 0x2E, 0x3A].contains($0)
          }
      } ?? false
    // Such a name never contains a person's address, but may contain an OData annotation.
    case .names:
      json.split(separator: "@", omittingEmptySubsequences: false).dropFirst().allSatisfy { $0.hasPrefix("odata.") }
    }
  }

  /// The content of a JSON text without escapes.
  private static func text(_ json: String) -> Substring? {
    json.utf8.count >= 2 && json.hasPrefix("\"") && json.hasSuffix("\"") ? json.dropFirst().dropLast() : nil
  }
}

/// The type that a JSON object of Graph states.
package struct GraphTypeName: Equatable {
  /// The type without `#` and namespace, such as `iosManagedAppProtection`.
  package let name: String

  /// Reads an `@odata.type`; some exports omit the leading `#`.
  package init(annotation: String) {
    let text = annotation.hasPrefix("#") ? annotation.dropFirst() : annotation[...]
    name = String(text.hasPrefix("microsoft.graph.") ? text.dropFirst("microsoft.graph.".count) : text)
  }
}
