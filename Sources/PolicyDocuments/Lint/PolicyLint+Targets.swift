import AppProtection

extension PolicyLint {
  /// The apps of a list as its rules see them. Placeholders are left out: a rule of their own finds them.
  static func listed(_ targets: LintTargets) -> [LintSubject.ListedApp] {
    var seen: [String: Int] = [:]
    return (targets.apps ?? []).enumerated().compactMap { index, app in
      guard placeholder(in: app) == nil else { return nil }
      let platform = foreignPlatform(of: app)
      let malformed = app.bundleID.flatMap { isBundleIdentifier($0) ? nil : $0 }
      var first: Int?
      if platform == nil, malformed == nil, let name = (app.bundleID ?? app.id)?.lowercased() {
        first = seen[name]
        if first == nil { seen[name] = index }
      }
      return LintSubject.ListedApp(
        index: index, foreignPlatform: platform, platforms: targets.platforms, malformedIdentifier: malformed,
        first: first)
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
}
