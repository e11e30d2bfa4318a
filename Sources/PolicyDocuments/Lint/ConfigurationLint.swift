import AppProtection
import JSON

/// Checks one app configuration against the applicable rules of ``PolicyRule``.
///
/// Texts in double braces are not checked: device management replaces them with values.
public enum ConfigurationLint {
  /// Everything that is found in an app configuration. Findings have no place; ``PolicyFile`` adds it.
  public static func findings(in configuration: AppConfigurationDocument) -> [PolicyFinding] {
    var lint = PolicyLint(PolicyDocument())
    for (name, text) in [("displayName", configuration.displayName), ("description", configuration.description)] {
      if let text, PolicyLint.isTemplateText(text) { lint.note(placeholder: text, name) }
    }
    for setting in configuration.settings {
      for text in [setting.key, setting.isSecret ? "" : setting.value ?? ""] where PolicyLint.isTemplateText(text) {
        lint.note(placeholder: text, setting.list.rawValue, element: setting.element)
      }
    }
    for (index, assignment) in (configuration.assignments ?? []).enumerated() {
      if let group = assignment.groupID, PolicyLint.isTemplateText(group) {
        lint.note(placeholder: group, "assignments", element: index)
      }
    }
    for (list, apps) in [("apps", configuration.appNames), ("targetedMobileApps", configuration.targetedMobileApps)] {
      for (index, app) in apps.enumerated() where PolicyLint.isTemplateText(app) {
        lint.note(placeholder: app, list, element: index)
      }
    }
    lint.checkTargets(
      apps: configuration.managedApps, count: configuration.deployedAppCount, group: configuration.appGroupType,
      assignments: configuration.assignments ?? [], platforms: ["Android"])
    return lint.findings
  }
}
