import AppProtection

extension AppSettings {
  /// The machine's settings according to an app's property list. Settings not in the property list keep their defaults.
  public init(_ settings: InfoPlistSettings) {
    self.init()
    multiIdentity = settings.multiIdentity
    autoEnrollOnLaunch = settings.autoEnrollOnLaunch
    policyRequired = settings.policyRequired
    warnsWhenPolicyAbsent = settings.warnsWhenPolicyAbsent
  }
}

extension LogScrubber {
  /// Removes the values that an app's `Info.plist` names (`ValuesToScrubFromLogging`).
  public init(_ settings: InfoPlistSettings) {
    self.init(settings.valuesToScrub)
  }
}
