import AppProtection

extension ServiceAnswer {
  /// The name of the policy; `nil` for any other answer.
  public var policyName: String? {
    if case .policy(let document, _) = self { document.about.displayName ?? "combined" } else { nil }
  }

  /// The code of the failure.
  public var code: UInt32? {
    if case .failure(let failure) = self { failure.code.rawValue } else { nil }
  }

  /// The text of the failure.
  public var error: String? {
    if case .failure(let failure) = self { failure.error } else { nil }
  }
}
