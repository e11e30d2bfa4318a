import SensitiveText

extension ManagementDocument.Row {
  /// The value as it is shown.
  public var shown: PortalValue { PortalValue(value, isPrivate: isPrivate, summary: summary, elements: elements) }
}

extension AppConfigurationDocument.Setting {
  /// The value as it is shown.
  var shown: PortalValue { PortalValue(isSecret ? SecretNames.placeholder : value ?? "", isPrivate: isPrivate) }
}
