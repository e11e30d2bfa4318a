extension DeviceSetting {
  /// The settings without a counterpart in Graph. All others stand in the rows of the property table.
  static let deviceOnly: [DeviceSetting] = [
    DeviceSetting("DictationBlocked", "Whether dictation is blocked"),
    DeviceSetting("RequireFileEncryption", "Whether the app must encrypt files itself; the service does not use it"),
    DeviceSetting("ClipboardEncryptionEnabled", "Whether the clipboard is encrypted"),
    DeviceSetting("IntuneIdentityUPN", "The user principal name of the managed account"),
    DeviceSetting("IntuneIdentityOID", "The object id of the managed account"),
    DeviceSetting("IntuneMAMPolicyVersion", "The version of the encoding"),
    DeviceSetting("ContainerName", "The name of the container"),
    DeviceSetting("UsePPE", "Whether the service's test environment is used"),
    DeviceSetting("ManagedBrowserURLListMode", "How the lists of the retired managed browser count"),
    DeviceSetting("MTDAppStoreUrl", "Where the threat defense app is found"),
    DeviceSetting("MTDAppFriendlyName", "What the threat defense app is called"),
    DeviceSetting("MTDAppLaunchUrl", "How the threat defense app is opened"),
    DeviceSetting("IsMTDAppEnabledForWPJ", "Whether the threat defense app joins the workplace"),
    DeviceSetting("WPJReplicationDelay", "How long joining the workplace takes to be known"),
    DeviceSetting("DisableAria", "Whether telemetry is off"),
    DeviceSetting("DisableShareSense", "Not used by the service"),
    DeviceSetting("ADALTenantId", "The tenant for signing in"),
    DeviceSetting("QuickLookBlockedOverride", "Whether Quick Look is left alone"),
    DeviceSetting("MinSecurityPatchVersionWarn", "Of another platform"),
    DeviceSetting("MaxSecurityPatchVersionWarn", "Of another platform"),
  ]
}
