import AppProtection
import JSON

/// Checks of the users and apps that a policy or an app configuration applies to.
extension PolicyLint {
  /// repeatedApp, foreignApp, appCountDiffers, onlyExclusions, includedAndExcluded
  ///
  /// - Parameter platforms: The platforms other than iOS whose apps the document targets.
  mutating func checkTargets(
    apps: [PolicyApp]?, count: Int?, group: AppGroupType?, assignments: [PolicyAssignment],
    platforms: Set<String> = []
  ) {
    checkApps(apps ?? [], platforms)
    if let apps, let count, count != apps.count, group ?? .selectedPublicApps == .selectedPublicApps {
      note(
        .appCountDiffers, "deployedAppCount",
        "it is \(count), and the document has \(apps.count == 1 ? "one app" : "\(apps.count) apps")",
        remedy: "export the document again with all its apps, or write \(apps.count)")
    }
    checkAssignments(assignments)
  }

  private mutating func checkApps(_ apps: [PolicyApp], _ platforms: Set<String>) {
    var seen: [String: Int] = [:]
    for (index, app) in apps.enumerated() where Self.placeholder(in: app) == nil {
      if let platform = Self.foreignPlatform(of: app) {
        guard !platforms.contains(platform) else { continue }
        note(
          .foreignApp, "apps", element: index,
          "element \(index) is an app for \(platform), which a policy for iOS never reaches",
          remedy: "remove it, or write the bundle identifier of the app for iOS")
        continue
      }
      if let identifier = app.bundleID, !Self.isBundleIdentifier(identifier) {
        note(
          .foreignApp, "apps", element: index,
          "element \(index), \(JSONExcerpt.quoted(identifier)), is not a bundle identifier",
          remedy: "write letters, digits, hyphens and periods, such as com.contoso.app")
        continue
      }
      guard let name = (app.bundleID ?? app.id)?.lowercased() else { continue }
      if let first = seen[name] {
        note(
          .repeatedApp, "apps", element: index, "element \(index) is the same app as element \(first)",
          remedy: "remove one of the two")
      } else {
        seen[name] = index
      }
    }
  }

  /// The platform of an identifier that does not belong to iOS.
  private static func foreignPlatform(of app: PolicyApp) -> String? {
    switch app.identifierTypeName.map({ GraphTypeName(annotation: $0).name }) {
    case "androidMobileAppIdentifier": return "Android"
    case "windowsAppIdentifier": return "Windows"
    case "macAppIdentifier": return "macOS"
    case _: break
    }
    guard app.bundleID == nil, let id = app.id?.lowercased() else { return nil }
    return id.hasSuffix(".android") ? "Android" : id.hasSuffix(".windows") ? "Windows" : nil
  }

  /// Apple, `CFBundleIdentifier`: letters, digits, hyphens and periods.
  private static func isBundleIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
      }
  }

  private mutating func checkAssignments(_ assignments: [PolicyAssignment]) {
    let exclusions = assignments.indices.filter { !assignments[$0].isInclusion }
    guard !exclusions.isEmpty else { return }
    guard exclusions.count < assignments.count else {
      note(
        .onlyExclusions, "assignments", "every group is excluded and none is included, so it applies to no user",
        remedy: "include a group")
      return
    }
    var included: [String: Int] = [:]
    for index in assignments.indices where assignments[index].isInclusion {
      if let group = assignments[index].groupID?.lowercased() { included[group] = included[group] ?? index }
    }
    // Groups belong to the organization, so they are counted rather than named.
    for index in exclusions {
      guard let group = assignments[index].groupID?.lowercased(), let first = included[group] else { continue }
      note(
        .includedAndExcluded, "assignments", element: index,
        "element \(index) excludes the group that element \(first) includes, so that its members are left out",
        remedy: "remove one of the two")
    }
  }
}
