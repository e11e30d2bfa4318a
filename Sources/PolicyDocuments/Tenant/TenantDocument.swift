import AppProtection

/// A policy or an app configuration among the others of its tenant.
struct TenantDocument: Sendable {
  /// What it is.
  enum Content: Sendable {
    case policy(PolicyFile.Item)
    case configuration(AppConfigurationDocument)
  }

  let content: Content
  /// The file as named by the caller.
  let file: String
  /// The path from the file's outermost value; empty where the document is the file.
  let path: String
  /// Whom and which apps it is for.
  let targeting: PolicyDocument.Targeting
  /// The members whose values are unknown.
  let lost: Set<String>
  /// Whether what the document lacks is unknown.
  let isPartial: Bool

  init(_ item: PolicyFile.Item, in file: String) {
    content = .policy(item)
    (self.file, path, targeting) = (file, item.path, item.policy.targeting)
    (lost, isPartial) = (item.lost, item.isPartial)
  }

  init(_ configuration: AppConfigurationDocument, lacking lost: Set<String>, isPartial: Bool, in file: String) {
    content = .configuration(configuration)
    (self.file, path, targeting) = (file, "", configuration.targeting)
    (self.lost, self.isPartial) = (lost, isPartial)
  }

  /// The policy; `nil` for an app configuration.
  var item: PolicyFile.Item? { if case .policy(let item) = content { item } else { nil } }

  /// The app configuration; `nil` for a policy.
  var configuration: AppConfigurationDocument? {
    if case .configuration(let configuration) = content { configuration } else { nil }
  }

  /// How messages about other documents name it. Names of policies may name persons, and those of files are shown.
  var shownName: String { path.isEmpty ? file : "\(file): \(path)" }

  /// The assignments; `nil` where not all of them are known.
  var assignments: [PolicyAssignment]? {
    guard !lost.contains("assignments"), item?.listsGroupsAlone != true else { return nil }
    return targeting.assignments
  }

  /// A finding about it.
  func finding(
    _ rule: PolicyRule, _ setting: String, element: Int? = nil, _ message: String, remedy: String
  ) -> TenantLint.Finding {
    var finding = PolicyFinding(rule, setting, at: item?.place, message, remedy: remedy)
    finding.element = element
    finding.file = file
    return TenantLint.Finding(finding: finding, path: path)
  }
}
