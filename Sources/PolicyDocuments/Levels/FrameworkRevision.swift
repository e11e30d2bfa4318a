/// A level of the data protection framework. Each contains the levels below it.
public enum FrameworkLevel: Int, CaseIterable, Comparable, Sendable {
  /// Level 1.
  case basic = 1
  /// Level 2.
  case enhanced
  /// Level 3.
  case high

  /// The framework's name for it.
  public var name: String {
    switch self {
    case .basic: "enterprise basic data protection"
    case .enhanced: "enterprise enhanced data protection"
    case .high: "enterprise high data protection"
    }
  }

  /// Whether the first level is lower.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// A dated revision of Microsoft's data protection framework for app protection policies.
///
/// The framework was published twice, and the two never agreed completely: as templates of policies until 2021, and as a
/// page of the documentation since. No date occurs in both.
public struct FrameworkRevision: Hashable, Comparable, Sendable {
  /// Where a revision was published.
  public enum Origin: String, Sendable {
    /// The policies in `microsoft/Intune-Config-Frameworks`; the revisions for iOS, and the last of levels 2 and 3 for
    /// Android, are among the real documents of the repository.
    case templates
    /// The documentation's page "Data protection framework using app protection policies".
    case page
  }

  /// The day, such as `2025-10-14`: of a template's commit, or the date that the page states.
  public let date: String
  /// Where it was published.
  public let origin: Origin

  /// The first revision, of templates.
  static let first = Self(date: "2020-03-05", origin: .templates)
  /// The day of the last templates for Android: those of every level together first have values then.
  private static let androidTemplates = "2021-10-05"
  /// The first revision of the page that states its date.
  static let page = Self(date: "2023-06-12", origin: .page)
  /// The first revision of the page of which every level was at hand for Windows.
  private static let windowsPage = "2024-07-31"
  /// The newest revision.
  public static let newest = Self(date: "2025-10-14", origin: .page)

  /// Every revision that changed a value, in the order of their dates.
  public static let all: [FrameworkRevision] =
    [first]
    + ["2020-04-23", "2020-04-27", "2020-07-15", "2020-09-22", "2020-11-17", "2021-09-30", androidTemplates].map {
      Self(date: $0, origin: .templates)
    } + [page] + ["2024-01-30", windowsPage].map { Self(date: $0, origin: .page) } + [newest]

  /// The revision of this day; `nil` if there is none.
  public static func dated(_ date: String) -> FrameworkRevision? { all.first { $0.date == date } }

  /// The first revision with values of every level for a platform.
  public static func first(on platform: PolicyPlatform) -> FrameworkRevision {
    switch platform {
    case .ios: first
    case .android: Self(date: androidTemplates, origin: .templates)
    case .windows: Self(date: windowsPage, origin: .page)
    }
  }

  /// Whether the first revision is older. Dates of this form are in the order of their texts.
  public static func < (one: Self, other: Self) -> Bool { one.date < other.date }
}
