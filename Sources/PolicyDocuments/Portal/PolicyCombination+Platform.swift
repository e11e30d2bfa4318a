import AppProtection

extension PolicyCombination {
  /// Combines policies for one platform. Without any, nothing is set.
  public init(of policies: [PolicyDocument], on platform: PolicyPlatform) {
    self.init(of: policies, in: platform.properties, as: platform.kind, shortest: platform.shortest)
  }
}
