import AppProtection
import AppProtectionKit
import GraphDocuments

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
  /// "no policy". A check-in by an account that has this policy is answered "unchanged"; an enrollment always brings it.
  func answer(to request: ServiceRequest, _ operation: ServiceOperation) -> ServiceAnswer {
    guard let first = policies.first else { return .noPolicy }
    let policy = policies.count == 1 ? first : PolicyCombination(of: policies).policy
    return operation == .checkIn ? request.answer(delivering: policy) : .policy(policy)
  }

  /// The configurations as the administrator wrote them: placeholders of the user are filled in where the app reads them, so
  /// that no journal holds the person's name among their texts. A configuration that sets `__IsDefault` to `true` is the
  /// tenant's default.
  var entries: [ConfigurationEntry] {
    configurations.map { configuration in
      let settings = configuration.settings.filter { !$0.isPacked }
      let isDefault = settings.contains { $0.key == "__IsDefault" && $0.value?.lowercased() == "true" }
      let values = settings.filter { $0.key != "__IsDefault" }.map { setting in
        ConfigurationValue(setting.key, setting.value ?? "")
      }
      return ConfigurationEntry(values, isDefault: isDefault)
    }
  }
}
