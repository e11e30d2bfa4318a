import AppProtection

/// What lint's rules look at. A policy is a sequence of subjects, and each is shown to every rule.
enum LintSubject {
  /// A theme of a policy.
  enum Part {
    case transfer, links, exemptions, conditions, access, targeting, members
  }

  /// The settings of one theme.
  case part(Part, PolicyDocument)
  /// A URL scheme in a setting.
  case scheme(setting: String, String)
  /// A setting that may prescribe an app, and the setting with the app's scheme.
  case prescription(Prescription)
  /// A version in a setting.
  case version(setting: String, String)
  /// A patch level of Android in a setting.
  case patchLevel(setting: String, String)
  /// The required versions of one component.
  case bounds(VersionBounds)
  /// A required version of the system that is not to be exceeded, and those that must be reached.
  case maximum(VersionBounds.Bound, minimums: [VersionBounds.Bound])
  /// A setting with a value.
  case setting(PolicyProperty, PolicyValue)
  /// An app configuration.
  case configuration(AppConfigurationDocument)
  /// A text of an app configuration.
  case text(setting: String, element: Int?, String)
  /// An app of the document's list.
  case app(ListedApp)
  /// Apps, their number, and groups.
  case targets(LintTargets)

  /// A setting that may prescribe an app.
  struct Prescription {
    let setting: String
    /// Whether the setting has the value that prescribes an app; `nil` if it has none.
    let isMade: Bool?
    let value: String
    let schemeSetting: String
    /// Whether the scheme, or the package, is given.
    let namesApp: Bool
    /// What names an app.
    var noun = "scheme"
  }

  /// An app of a list.
  struct ListedApp {
    let index: Int
    /// The platform of an identifier, where the document targets no apps of it.
    let foreignPlatform: String?
    /// The platform whose identifiers the document lists.
    let platform: PolicyPlatform
    /// An identifier that no app of that platform can have.
    let malformedIdentifier: String?
    /// The index of an earlier element with the same app.
    let first: Int?
  }
}

/// The users and apps that a policy or an app configuration applies to.
struct LintTargets {
  let apps: [PolicyApp]?
  let count: Int?
  let group: AppGroupType?
  let assignments: [PolicyAssignment]
  /// The platforms whose apps the document targets, that first whose identifiers it lists.
  var platforms: [PolicyPlatform]
}
