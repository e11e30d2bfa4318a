import AppProtection
import JSON

/// Checks of the versions of the operating system, the app and the SDK.
extension PolicyLint {
  private struct Bound {
    let name: String
    let text: String
    let number: PolicyVersionNumber
  }

  /// The required versions of one component: for a warning, a block and a wipe.
  private typealias Bounds = (warning: Bound?, block: Bound?, wipe: Bound?)

  /// minimumAboveMaximum, maximumStopsUpdates, warningNeverShows, blockNeverShows, invalidVersion
  mutating func checkVersions() {
    let launch = policy.conditionalLaunch
    let system: Bounds = (
      bound("minimumWarningOsVersion", launch.minimumWarningOsVersion),
      bound("minimumRequiredOsVersion", launch.minimumRequiredOsVersion),
      bound("minimumWipeOsVersion", launch.minimumWipeOsVersion)
    )
    let newest: Bounds = (
      bound("maximumWarningOsVersion", launch.maximumWarningOsVersion),
      bound("maximumRequiredOsVersion", launch.maximumRequiredOsVersion),
      bound("maximumWipeOsVersion", launch.maximumWipeOsVersion)
    )
    checkOrder(system, isMinimum: true)
    checkOrder(newest, isMinimum: false)
    checkRange(system, newest)
    checkOrder(
      (
        bound("minimumWarningAppVersion", launch.minimumWarningAppVersion),
        bound("minimumRequiredAppVersion", launch.minimumRequiredAppVersion),
        bound("minimumWipeAppVersion", launch.minimumWipeAppVersion)
      ), isMinimum: true)
    checkOrder(
      (
        bound("minimumWarningSdkVersion", launch.minimumWarningSdkVersion),
        bound("minimumRequiredSdkVersion", launch.minimumRequiredSdkVersion),
        bound("minimumWipeSdkVersion", launch.minimumWipeSdkVersion)
      ), isMinimum: true)
  }

  private mutating func bound(_ name: String, _ text: String?) -> Bound? {
    guard let text, !PolicyVersionNumber.isUnset(text) else { return nil }
    guard let number = PolicyVersionNumber(text) else {
      if !Self.isPlaceholder(text, in: name) {
        note(
          .invalidVersion, name, "\(JSONExcerpt.quoted(text)) is not a version",
          remedy: "write numbers separated by periods, such as 16.4.1")
      }
      return nil
    }
    return Bound(name: name, text: text, number: number)
  }

  /// A version that is refused hides a weaker action for the same version.
  private mutating func checkOrder(_ bounds: Bounds, isMinimum: Bool) {
    func hides(_ strong: Bound, _ weak: Bound) -> Bool {
      isMinimum ? strong.number >= weak.number : strong.number <= weak.number
    }
    let side = isMinimum ? "above" : "below"
    if let warning = bounds.warning, let strong = bounds.block ?? bounds.wipe, hides(strong, warning) {
      note(
        .warningNeverShows, warning.name,
        "the warning at \(warning.text) never shows, because \(strong.name) is \(strong.text)",
        remedy: "set it \(side) \(strong.text), or remove it")
    }
    if let block = bounds.block, let wipe = bounds.wipe, hides(wipe, block) {
      note(
        .blockNeverShows, block.name,
        "access is never blocked at \(block.text), because \(wipe.name) removes data at \(wipe.text)",
        remedy: "set it \(side) \(wipe.text), or remove one of the two")
    }
  }

  private mutating func checkRange(_ oldest: Bounds, _ newest: Bounds) {
    let minimums = [oldest.block, oldest.wipe].compactMap { $0 }
    let maximums = [newest.block, newest.wipe].compactMap { $0 }
    for maximum in maximums {
      if let minimum = minimums.first(where: { $0.number > maximum.number }) {
        note(
          .minimumAboveMaximum, minimum.name,
          "it is \(minimum.text), and \(maximum.name) is \(maximum.text), so that every device is refused",
          remedy: "set \(maximum.name) above it")
      }
      // 15.0 equals 15: every update of it is a higher version.
      guard maximum.number.numbers.count == 1, let major = maximum.number.numbers.first else { continue }
      note(
        .maximumStopsUpdates, maximum.name,
        "it is \(maximum.text), so that \(major).0.1 and everything after it is refused",
        remedy: "write a version that no update reaches, such as \(major).99, or remove it")
    }
  }
}
