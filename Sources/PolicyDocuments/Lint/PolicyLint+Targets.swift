import AppProtection

extension PolicyLint {
  /// The apps of a list as its rules see them. Placeholders are left out: a rule of their own finds them.
  static func listed(_ targets: LintTargets) -> [LintSubject.ListedApp] {
    var seen: [String: Int] = [:]
    let home = targets.platforms.first ?? .ios
    return (targets.apps ?? []).enumerated().compactMap { index, app in
      guard placeholder(in: app) == nil else { return nil }
      let platform = platform(of: app).flatMap { name in
        targets.platforms.contains { $0.rawValue == name } ? nil : name
      }
      let malformed = app.bundleID.flatMap { isIdentifier($0, on: home) ? nil : $0 }
      var first: Int?
      if platform == nil, malformed == nil, let name = (app.bundleID ?? app.id)?.lowercased() {
        first = seen[name]
        if first == nil { seen[name] = index }
      }
      return LintSubject.ListedApp(
        index: index, foreignPlatform: platform, platform: home, malformedIdentifier: malformed, first: first)
    }
  }

  /// The platform that an identifier names; `nil` if it names none.
  static func platform(of app: PolicyApp) -> String? {
    switch app.identifierTypeName.map({ GraphTypeName(annotation: $0).name }) {
    case "iosMobileAppIdentifier": return "iOS"
    case "androidMobileAppIdentifier": return "Android"
    case "windowsAppIdentifier": return "Windows"
    case "macAppIdentifier": return "macOS"
    case _: break
    }
    guard app.bundleID == nil, let id = app.id?.lowercased() else { return nil }
    let suffixes = [(".android", "Android"), (".windows", "Windows"), (".ios", "iOS")]
    return suffixes.first { id.hasSuffix($0.0) }?.1
  }

  /// Letters, digits and periods; besides, bundle identifiers have hyphens (Apple, `CFBundleIdentifier`), packages underscores
  /// (Android, `applicationId`), and the names of Windows both.
  private static func isIdentifier(_ text: String, on platform: PolicyPlatform) -> Bool {
    let marks: Set<UInt8> =
      switch platform {
      case .ios: [0x2D]
      case .android: [0x5F]
      case .windows: [0x2D, 0x5F]
      }
    return !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2E || marks.contains($0)
      }
  }
}
