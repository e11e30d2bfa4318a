import AppProtection
import JSON

/// Rules of the users and apps that a policy or an app configuration applies to.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let targets: [PolicyRule] = [
    foreignApp, repeatedApp, appCountDiffers, onlyExclusions, includedAndExcluded,
  ]

  /// An app belongs to another platform or has no bundle identifier.
  public static let foreignApp = PolicyRule(
    "foreignApp", .error, "Apps have identifiers of the policy's platform: on iOS, bundle identifiers.",
    "G iosMobileAppIdentifier; A CFBundleIdentifier"
  ) { subject, notes in
    guard case .app(let app) = subject else { return }
    if let platform = app.foreignPlatform {
      let home = app.platform.rawValue
      notes.add(
        "apps", element: app.index,
        "element \(app.index) is an app for \(platform), which a policy for \(home) never reaches",
        remedy: "remove it, or write the \(app.platform.identifierNoun) of the app for \(home)")
    } else if let identifier = app.malformedIdentifier {
      notes.add(
        "apps", element: app.index,
        "element \(app.index), \(JSONExcerpt.quoted(identifier)), is not a \(app.platform.identifierNoun)",
        remedy: app.platform.identifierRemedy)
    }
  }

  /// An app occurs twice in a list.
  public static let repeatedApp = PolicyRule(
    "repeatedApp", .warning, "An app stands once in a list.", "DERIVED"
  ) { subject, notes in
    guard case .app(let app) = subject, let first = app.first else { return }
    notes.add(
      "apps", element: app.index, "element \(app.index) is the same app as element \(first)",
      remedy: "remove one of the two")
  }

  /// The number of apps differs from the length of the list.
  public static let appCountDiffers = PolicyRule(
    "appCountDiffers", .note, "The number of deployed apps is that of the apps.",
    "G targetedManagedAppProtection, deployedAppCount"
  ) { subject, notes in
    guard case .targets(let targets) = subject, let apps = targets.apps, let count = targets.count,
      count != apps.count, targets.group ?? .selectedPublicApps == .selectedPublicApps
    else { return }
    notes.add(
      "deployedAppCount",
      "it is \(count), and the document has \(apps.count == 1 ? "one app" : "\(apps.count) apps")",
      trying: [
        .open("export the document again with all its apps"),
        .policy("write \(apps.count)") { $0.targeting.deployedAppCount = apps.count },
      ])
  }

  /// Groups are excluded but none is included.
  public static let onlyExclusions = PolicyRule(
    "onlyExclusions", .warning, "A group is excluded from others that are included.", "G exclusionGroupAssignmentTarget"
  ) { subject, notes in
    guard case .targets(let targets) = subject, !targets.assignments.isEmpty,
      !targets.assignments.contains(where: \.isInclusion)
    else { return }
    notes.add(
      "assignments", "every group is excluded and none is included, so it applies to no user",
      remedy: "include a group")
  }

  /// A group is both included and excluded.
  public static let includedAndExcluded = PolicyRule(
    "includedAndExcluded", .warning, "A group is included or excluded; excluding counts first.",
    "D include and exclude assignments"
  ) { subject, notes in
    guard case .targets(let targets) = subject else { return }
    let assignments = targets.assignments
    var included: [String: Int] = [:]
    for index in assignments.indices where assignments[index].isInclusion {
      if let group = assignments[index].groupID?.lowercased() { included[group] = included[group] ?? index }
    }
    // Groups belong to the organization, so they are counted rather than named.
    for index in assignments.indices where !assignments[index].isInclusion {
      guard let group = assignments[index].groupID?.lowercased(), let first = included[group] else { continue }
      notes.add(
        "assignments", element: index,
        "element \(index) excludes the group that element \(first) includes, so that its members are left out",
        remedy: "remove one of the two")
    }
  }
}

extension PolicyPlatform {
  /// What identifies an app.
  fileprivate var identifierNoun: String {
    switch self {
    case .ios: "bundle identifier"
    case .android: "package id"
    case .windows: "Windows app id"
    }
  }

  fileprivate var identifierRemedy: String {
    switch self {
    case .ios: "write letters, digits, hyphens and periods, such as com.contoso.app"
    case .android: "write letters, digits, underscores and periods, such as com.contoso.app"
    case .windows: "write letters, digits, hyphens, underscores and periods, such as com.microsoft.edge"
    }
  }
}
