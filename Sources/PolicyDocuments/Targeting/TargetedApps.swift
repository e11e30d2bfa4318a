import AppProtection
import PlainText

/// The apps of Microsoft that the groups of apps stand for, by their bundle identifiers or packages (D create app protection
/// policies, D protected apps). Lists of groups change with time, so that an app which they lack is not certainly out.
enum TargetedApps {
  /// The core Microsoft apps, as of 2026-02.
  static func core(on platform: PolicyPlatform) -> Set<String> {
    switch platform {
    case .ios: coreIOS
    case .android: coreAndroid
    case .windows: ["com.microsoft.edge"]
    }
  }

  /// All Microsoft apps, as of 2023-05 with those that were named later.
  static func microsoft(on platform: PolicyPlatform) -> Set<String> {
    switch platform {
    case .ios: microsoftIOS
    case .android: microsoftAndroid
    case .windows: ["com.microsoft.edge"]
    }
  }

  private static let coreAndroid: Set<String> = [
    "com.microsoft.emmx", "com.microsoft.office.excel", "com.microsoft.office.officehub",
    "com.microsoft.office.officehubhl", "com.microsoft.office.officehubrow", "com.microsoft.skydrive",
    "com.microsoft.office.onenote", "com.microsoft.office.outlook", "com.microsoft.office.powerpoint",
    "com.microsoft.sharepoint", "com.microsoft.teams", "com.microsoft.todos", "com.microsoft.office.word",
  ]

  private static let microsoftAndroid: Set<String> = coreAndroid.union([
    "com.microsoft.cortana", "com.microsoft.crm.crmphone", "com.microsoft.crm.crmphone.fieldservices",
    "com.microsoft.crm.crmphone.sales", "com.microsoft.crm.crmtablet", "com.microsoft.d365.fs.mobile",
    "com.microsoft.dynamics.invoice", "com.microsoft.flow", "com.microsoft.ipviewer", "com.microsoft.launcher",
    "com.microsoft.lists.public", "com.microsoft.mobile.polymer", "com.microsoft.msapps", "com.microsoft.office.lync15",
    "com.microsoft.office.officelens", "com.microsoft.planner", "com.microsoft.powerbim", "com.microsoft.ramobile",
    "com.microsoft.scmx", "com.microsoft.stream", "com.microsoft.teams.baidu",
    "com.microsoft.whiteboard.publicpreview", "com.microsoft.workfolders", "com.ms.office365admin", "com.yammer.v1",
    "ols.microsoft.com.shiftr", "com.microsoft.azure", "com.microsoft.copilot", "com.microsoft.designer",
    "com.microsoft.loop", "com.microsoft.rdc.androidx",
  ])

  private static let coreIOS: Set<String> = [
    "com.microsoft.msedge", "com.microsoft.office.excel", "com.microsoft.officemobile", "com.microsoft.skydrive",
    "com.microsoft.onenote", "com.microsoft.office.outlook", "com.microsoft.office.powerpoint",
    "com.microsoft.sharepoint", "com.microsoft.skype.teams", "com.microsoft.to-do", "com.microsoft.office.word",
  ]

  private static let microsoftIOS: Set<String> = coreIOS.union([
    "com.microsoft.bing.halseyassistant", "com.microsoft.d365.fs.mobile", "com.microsoft.dynamics",
    "com.microsoft.dynamics.invoice", "com.microsoft.dynamics.iphone.moca",
    "com.microsoft.dynamics.iphone.moca.fieldservices", "com.microsoft.dynamics.iphone.moca.sales",
    "com.microsoft.lync2013.iphone", "com.microsoft.mobile.polymer", "com.microsoft.msapps",
    "com.microsoft.o365shdmobileapp", "com.microsoft.officelens", "com.microsoft.plannermobile",
    "com.microsoft.powerbimobile", "com.microsoft.procsimo", "com.microsoft.ramobile", "com.microsoft.rms-sharing",
    "com.microsoft.scmx", "com.microsoft.shiftr", "com.microsoft.splists", "com.microsoft.stream",
    "com.microsoft.visio", "com.microsoft.whiteboard", "com.microsoft.workfolders", "com.veradocs.ios.appstore.intune",
    "wefwef", "com.microsoft.azure", "com.microsoft.copilot", "com.microsoft.loop",
  ])

  /// The known app that a name may mean which is no identifier, or almost one that is known; `nil` where it may be right as it
  /// is.
  ///
  /// - Parameter listed: The apps that documents list.
  static func meant(by app: String, among listed: [String], on platform: PolicyPlatform) -> (
    isDoubtful: Bool, near: String?
  ) {
    let app = app.lowercased()
    let known = Set(listed.map { $0.lowercased() }).union(microsoft(on: platform))
    guard !known.contains(app) else { return (false, nil) }
    let sorted = known.sorted()
    guard app.contains(".") else {
      let parts = sorted.map { String($0.split(separator: ".").last ?? "") }
      let near = EditDistance.nearest(to: app, in: parts, limit: 1).first
      return (true, near.flatMap(parts.firstIndex).map { sorted[$0] })
    }
    let near = sorted.first { abs($0.utf8.count - app.utf8.count) < 3 && EditDistance.between(app, $0) < 3 }
    return (near != nil, near)
  }

  /// Whether a policy is about an app, and why.
  ///
  /// - Parameter app: The bundle identifier or package; its case does not matter.
  static func holds(
    _ app: String, _ targeting: PolicyDocument.Targeting, on platform: PolicyPlatform
  ) -> (Truth, why: String) {
    let app = app.lowercased()
    let microsoft = microsoft(on: platform)
    switch targeting.appGroupType {
    case .selectedPublicApps?, nil:
      guard let apps = targeting.apps else { return (.unknown, "the export does not list the policy's apps") }
      let isListed = apps.contains { entry in
        if let bundle = entry.bundleID { return bundle.lowercased() == app }
        return entry.id.map { $0.lowercased() == app || $0.lowercased() == "\(app).\(platform.rawValue.lowercased())" }
          ?? false
      }
      return isListed ? (.yes, "the app is among the policy's apps") : (.no, "the app is not among the policy's apps")
    case .allCoreMicrosoftApps?:
      return core(on: platform).contains(app)
        ? (.yes, "the app is a core Microsoft app") : (.no, "the app is not a core Microsoft app, as of 2026-02")
    case .allMicrosoftApps?:
      if microsoft.contains(app) { return (.yes, "the app is a Microsoft app") }
      return app.hasPrefix("com.microsoft.")
        ? (.unknown, "the app may be among the Microsoft apps; the list of 2023-05 does not have it")
        : (.no, "the app is not a Microsoft app")
    case .allApps?:
      return microsoft.contains(app)
        ? (.yes, "the policy is about all apps")
        : (.unknown, "the policy is about all apps of Microsoft and its partners; whether this is one is not known")
    case .unrecognized?: return (.unknown, "the policy is about a group of apps that is not known")
    }
  }

  /// The apps that a policy certainly is for, by their identifiers in lower case.
  static func certain(_ targeting: PolicyDocument.Targeting, on platform: PolicyPlatform) -> Set<String> {
    switch targeting.appGroupType {
    case .allCoreMicrosoftApps?: core(on: platform)
    case .allMicrosoftApps?, .allApps?: microsoft(on: platform)
    case .selectedPublicApps?, nil:
      Set(
        (targeting.apps ?? []).compactMap { app in
          let suffix = ".\(platform.rawValue.lowercased())"
          return app.bundleID?.lowercased()
            ?? app.id.map {
              $0.lowercased().hasSuffix(suffix) ? String($0.lowercased().dropLast(suffix.count)) : $0.lowercased()
            }
        })
    case .unrecognized?: []
    }
  }
}
