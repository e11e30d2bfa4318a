extension PolicyProperty {
  /// Whether a value restricts, so that a policy without the setting is weaker.
  ///
  /// Of choices and other values it is not known: what their absence means differs from setting to setting.
  package func isRestriction(_ value: PolicyValue) -> Bool {
    let unlimited: [PolicyValue] =
      switch combination {
      case .onWins: [.flag(false)]
      case .offWins: [.flag(true)]
      case .higherVersion, .lowerVersion: [.text("")]
      case .shortestLimit: [(try? PolicyDuration("PT0S")).map { .duration($0) }, .number(0)].compactMap { $0 }
      case .notCombined, .strictestChoice, .smallestNumber, .largestNumber, .shortestDuration, .intersection,
        .strictestGroup, .firstGiven:
        []
      }
    return unlimited.contains { combined($0, value) != $0 }
  }
}
