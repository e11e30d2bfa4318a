/// Checks one app configuration against the applicable rules of ``PolicyRule``.
///
/// Texts in double braces are not checked: device management replaces them with values.
public enum ConfigurationLint {
  /// Everything that is found in an app configuration. Findings have no place; ``PolicyFile`` adds it.
  public static func findings(in configuration: AppConfigurationDocument) -> [PolicyFinding] {
    PolicyLint.findings(in: configuration)
  }
}
