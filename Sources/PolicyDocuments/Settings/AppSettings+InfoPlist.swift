import AppProtection

extension AppSettings {
  /// The settings of the machine as an app's property list has them. What no property list says keeps its default.
  public init(_ settings: InfoPlistSettings) {
    self.init()
    multiIdentity = settings.multiIdentity
    autoEnrollOnLaunch = settings.autoEnrollOnLaunch
    policyRequired = settings.policyRequired
    warnsWhenPolicyAbsent = settings.warnsWhenPolicyAbsent
  }
}

extension LogScrubber {
  /// Takes out what an app's `Info.plist` names (`ValuesToScrubFromLogging`).
  public init(_ settings: InfoPlistSettings) {
    self.init(settings.valuesToScrub)
  }
}
