import AppProtection
import EventSourcing
import JSON

/// Finds mistakes within one policy: contradictions, settings without effect, and texts that cannot be intended.
///
/// ```swift
/// for finding in PolicyLint.findings(in: policy) { print(finding.rule.severity, finding) }
/// ```
///
/// Only what the document states is checked; absent settings are not. Findings have a fixed order: transfers, links and
/// schemes, conditions, versions, access, and the document itself.
public struct PolicyLint {
  private var notes: LintNotes
  private let rules: [PolicyRule]

  private init(_ rules: [PolicyRule], on platform: PolicyPlatform) {
    (self.rules, notes) = (rules, LintNotes(.placeholder, on: platform))
  }

  /// All findings in a policy. They have no place; ``PolicyFile`` adds it.
  public static func findings(in policy: PolicyDocument) -> [PolicyFinding] {
    findings(in: policy, by: PolicyRule.allCases)
  }

  /// All findings that hold whatever the values are that the document had and that are unknown.
  ///
  /// - Parameter lost: The members with those values.
  static func findings(in policy: PolicyDocument, lacking lost: Set<String>) -> [PolicyFinding] {
    var notes = notes(on: policy, by: PolicyRule.allCases)
    for property in policy.kind.platform.properties where lost.contains(property.name) {
      for value in property.extremes {
        var other = policy
        other[property] = .value(value)
        let also = untried(in: .policy(other))
        notes.keep { finding in
          also.contains { $0.rule == finding.rule && $0.setting == finding.setting && $0.element == finding.element }
        }
      }
    }
    notes.advise(in: .policy(policy), by: untried)
    return notes.findings
  }

  /// The findings of some rules.
  static func findings(in policy: PolicyDocument, by rules: [PolicyRule]) -> [PolicyFinding] {
    var notes = notes(on: policy, by: rules)
    notes.advise(in: .policy(policy), by: untried)
    return notes.findings
  }

  /// All findings in a document. No advice in them was tried.
  static func untried(in document: LintDocument) -> [PolicyFinding] {
    switch document {
    case .policy(let policy): notes(on: policy, by: PolicyRule.allCases).findings
    case .configuration(let configuration): notes(on: configuration).findings
    }
  }

  private static func notes(on policy: PolicyDocument, by rules: [PolicyRule]) -> LintNotes {
    let platform = policy.kind.platform
    var lint = PolicyLint(rules, on: platform)
    lint.show(.part(.transfer, policy))
    lint.show(.part(.links, policy))
    lint.showSchemes(policy)
    lint.show(.part(.exemptions, policy))
    lint.show(.part(.conditions, policy))
    lint.showVersions(policy)
    lint.show(.part(.access, policy))
    for property in platform.properties {
      if case .value(let value) = policy[property] { lint.show(.setting(property, value)) }
    }
    lint.show(.part(.targeting, policy))
    lint.showTargets(
      LintTargets(
        apps: policy.targeting.apps, count: policy.targeting.deployedAppCount, group: policy.targeting.appGroupType,
        assignments: policy.targeting.assignments ?? [], platforms: [platform]))
    lint.show(.part(.members, policy))
    return lint.notes
  }

  /// All findings in an app configuration. They have no place; ``PolicyFile`` adds it.
  static func findings(in configuration: AppConfigurationDocument) -> [PolicyFinding] {
    var notes = notes(on: configuration)
    notes.advise(in: .configuration(configuration), by: untried)
    return notes.findings
  }

  private static func notes(on configuration: AppConfigurationDocument) -> LintNotes {
    var lint = PolicyLint(PolicyRule.allCases, on: .ios)
    for (name, text) in [("displayName", configuration.displayName), ("description", configuration.description)] {
      if let text { lint.show(.text(setting: name, element: nil, text)) }
    }
    for setting in configuration.settings {
      for text in [setting.key, setting.isSecret ? "" : setting.value ?? ""] {
        lint.show(.text(setting: setting.list.rawValue, element: setting.element, text))
      }
    }
    lint.show(.configuration(configuration))
    for (index, assignment) in (configuration.assignments ?? []).enumerated() {
      if let group = assignment.groupID { lint.show(.text(setting: "assignments", element: index, group)) }
    }
    for (list, apps) in [("apps", configuration.appNames), ("targetedMobileApps", configuration.targetedMobileApps)] {
      for (index, app) in apps.enumerated() { lint.show(.text(setting: list, element: index, app)) }
    }
    lint.showTargets(
      LintTargets(
        apps: configuration.managedApps, count: configuration.deployedAppCount, group: configuration.appGroupType,
        assignments: configuration.assignments ?? [], platforms: [.ios, .android]))
    return lint.notes
  }

  private mutating func show(_ subject: LintSubject) {
    for rule in rules {
      notes.rule = rule
      rule.check(subject, &notes)
    }
  }

  private mutating func showSchemes(_ policy: PolicyDocument) {
    let redirection = policy.redirection
    for (name, scheme) in [
      ("customBrowserProtocol", redirection.customBrowserProtocol),
      ("customDialerAppProtocol", redirection.customDialerAppProtocol),
      ("messagingRedirectAppUrlScheme", redirection.messagingRedirectAppUrlScheme),
    ] {
      if let scheme { show(.scheme(setting: name, scheme)) }
    }
    show(
      .prescription(
        .init(
          setting: "dialerRestrictionLevel", isMade: redirection.dialerRestrictionLevel.map { $0 == .customApp },
          value: "customApp", naming: [.customDialerAppProtocol, .customDialerAppPackageId], in: policy)))
    show(
      .prescription(
        .init(
          setting: "protectedMessagingRedirectAppType",
          isMade: redirection.protectedMessagingRedirectAppType.map { $0 == .specificApps }, value: "specificApps",
          naming: [.messagingRedirectAppUrlScheme, .messagingRedirectAppPackageId], in: policy)))
    for scheme in policy.exemptedSchemes { show(.scheme(setting: "exemptedAppProtocols", scheme)) }
  }

  private mutating func showTargets(_ targets: LintTargets) {
    for app in Self.listed(targets) { show(.app(app)) }
    show(.targets(targets))
  }

  private typealias Requirement = (name: String, text: String?)

  private mutating func showVersions(_ policy: PolicyDocument) {
    let launch = policy.conditionalLaunch
    let oldest: [Requirement] = [
      ("minimumWarningOsVersion", launch.minimumWarningOsVersion),
      ("minimumRequiredOsVersion", launch.minimumRequiredOsVersion),
      ("minimumWipeOsVersion", launch.minimumWipeOsVersion),
    ]
    let newest: [Requirement] = [
      ("maximumWarningOsVersion", launch.maximumWarningOsVersion),
      ("maximumRequiredOsVersion", launch.maximumRequiredOsVersion),
      ("maximumWipeOsVersion", launch.maximumWipeOsVersion),
    ]
    showVersions(oldest + newest)
    showBounds(oldest, isMinimum: true)
    showBounds(newest, isMinimum: false)
    let minimums = oldest.dropFirst().compactMap(VersionBounds.Bound.init)
    for maximum in newest.dropFirst().compactMap(VersionBounds.Bound.init) {
      show(.maximum(maximum, minimums: minimums))
    }
    let components: [[Requirement]] = [
      [
        ("minimumWarningAppVersion", launch.minimumWarningAppVersion),
        ("minimumRequiredAppVersion", launch.minimumRequiredAppVersion),
        ("minimumWipeAppVersion", launch.minimumWipeAppVersion),
      ],
      [
        ("minimumWarningSdkVersion", launch.minimumWarningSdkVersion),
        ("minimumRequiredSdkVersion", launch.minimumRequiredSdkVersion),
        ("minimumWipeSdkVersion", launch.minimumWipeSdkVersion),
      ],
      [
        .minimumWarningCompanyPortalVersion, .minimumRequiredCompanyPortalVersion, .minimumWipeCompanyPortalVersion,
      ].map { ($0.name, policy.text($0)) },
    ]
    for component in components {
      showVersions(component)
      showBounds(component, isMinimum: true)
    }
    // Only policies for Android require patch levels; a default policy has some of them too.
    guard notes.platform == .android else { return }
    let patches: [PolicyProperty] = [
      .minimumWarningPatchVersion, .minimumRequiredPatchVersion, .minimumWipePatchVersion,
    ]
    for patch in patches {
      if let text = policy.text(patch) { show(.patchLevel(setting: patch.name, text)) }
    }
    showBounds(patches.map { ($0.name, policy.text($0)) }, isMinimum: true)
  }

  private mutating func showVersions(_ requirements: [Requirement]) {
    for (name, text) in requirements {
      if let text { show(.version(setting: name, text)) }
    }
  }

  /// - Parameter requirements: The versions for a warning, a block and a wipe.
  private mutating func showBounds(_ requirements: [Requirement], isMinimum: Bool) {
    let bounds = requirements.map(VersionBounds.Bound.init)
    show(.bounds(VersionBounds(warning: bounds[0], block: bounds[1], wipe: bounds[2], isMinimum: isMinimum)))
  }
}

extension LintSubject.Prescription {
  /// - Parameter names: The settings that name the app, of which each platform has one: on iOS by its URL scheme.
  fileprivate init(
    setting: String, isMade: Bool?, value: String, naming names: [PolicyProperty], in policy: PolicyDocument
  ) {
    let platform = policy.kind.platform
    let name = names.first(where: platform.has)
    self.init(
      setting: setting, isMade: isMade, value: value, schemeSetting: name?.name ?? "",
      namesApp: name.flatMap(policy.text) != nil, noun: platform == .ios ? "scheme" : "package")
  }
}

extension PolicyLint {
  /// The settings of a policy that contradict one another: a warning where Graph refuses the combination, a note where one of
  /// the two has no effect.
  @Sendable
  public static func contradictions(in policy: PolicyDocument) -> [PolicyContradiction] {
    findings(in: policy, by: rulesAboutContradictions).map { finding in
      let severity: DiagnosisSeverity =
        switch finding.rule.severity {
        case .error: .warning
        case .warning, .note: .note
        }
      return PolicyContradiction(
        finding.rule.id, severity, "\(finding.setting): \(finding.message)", remedy: finding.remedy,
        refusesEverySystem: finding.rule == .minimumAboveMaximum)
    }
  }

  /// A history has many policies, so no other rule is asked.
  private static let rulesAboutContradictions = PolicyRule.allCases.filter(\.isAboutContradictions)
}
