import AppProtection
import AppProtectionKit
import PolicyDocuments

/// The policies and app configurations that target one account, as the service wants the app to have them.
struct TargetedDocuments: Equatable, Sendable {
  /// In a fixed order: with equal documents in another one, ties between settings could end differently.
  var policies: [PolicyDocument] = []
  var configurations: [AppConfigurationDocument] = []

  /// Adds what a document holds.
  mutating func add(_ document: GraphDocument) {
    policies += document.policies.map(\.policy)
    for case .appConfiguration(let configuration) in document.others { configurations.append(configuration) }
  }

  /// Keeps what applies to an app. A document that lists no apps applies to all; so does everything if the bundle
  /// identifier is unknown.
  func limited(to bundleID: String?) -> TargetedDocuments {
    guard let bundleID else { return self }
    var limited = self
    limited.policies.removeAll { policy in
      policy.targeting.appGroupType != .allApps
        && policy.targeting.apps?.contains { $0.bundleID.map { $0.lowercased() == bundleID.lowercased() } ?? false }
          == false
    }
    limited.configurations.removeAll { configuration in
      configuration.appGroupType != .allApps && !configuration.apps.isEmpty
        && !configuration.apps.contains { $0.lowercased() == bundleID.lowercased() }
    }
    return limited
  }

  /// One policy: the only one as it is, several as their most restrictive combination (`PolicyCombination`), none as
  /// "no policy". The engine itself finds out whether it changed.
  var answer: ServiceAnswer {
    switch policies.count {
    case 0: .noPolicy
    case 1: .policy(policies[0])
    default: .policy(PolicyCombination(of: policies).policy)
    }
  }

  /// The configurations with the user's placeholders replaced. A configuration that sets `__IsDefault` to `true` is the
  /// tenant's default.
  func entries(for user: AccountReference) -> [ConfigurationEntry] {
    configurations.map { configuration in
      var isDefault = false
      var values: [ConfigurationValue] = []
      for setting in configuration.settings where !setting.isPacked {
        let text = Self.replacePlaceholders(in: setting.value ?? "", for: user)
        if setting.key == "__IsDefault" {
          isDefault = text.lowercased() == "true"
        } else {
          values.append(ConfigurationValue(setting.key, text))
        }
      }
      return ConfigurationEntry(values, isDefault: isDefault)
    }
  }

  /// The two names of the user that the service knows; other placeholders stay as written.
  private static func replacePlaceholders(in text: String, for user: AccountReference) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let value: String? =
        switch rest[start.upperBound..<end.lowerBound].lowercased() {
        case "userprincipalname": user.userPrincipalName
        case "userid": user.objectID?.description
        case _: nil
        }
      result += rest[..<start.lowerBound]
      result += value ?? String(rest[start.lowerBound..<end.upperBound])
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}
