import EventSourcing

/// What the explanations of decisions quote of the state.
extension AppProtectionState {
  /// The explanation's entry for an account's status.
  func statusRead(_ account: AccountNumber) -> Explanation.Read {
    Explanation.Read(
      "/accounts/\(account)/enrollment/status", accounts[account].map { .name($0.enrollment.status.name) } ?? .unset)
  }

  /// The explanation's entry for an account's policy.
  func policyRead(_ account: AccountNumber) -> Explanation.Read {
    Explanation.Read(
      "/policies/\(account)/version", policies[account].map { .integer(Int64(clamping: $0.version)) } ?? .unset)
  }

  /// The explanation's entry for a setting of an account's policy. A setting with parts is read part by part.
  func settingRead(_ property: PolicyProperty, of account: AccountNumber?) -> [Explanation.Read] {
    guard let account else { return [] }
    let path = "/policies/\(account)/\(property.name)"
    guard let document = policies[account]?.document, case .value(let value) = document[property] else {
      return [.init(path, .unset)]
    }
    switch property.tree(of: value) {
    case .value(let shown): return [.init(path, shown)]
    case .members(let members):
      return members.compactMap { member in
        if case .value(let shown) = member.tree { .init("\(path)/\(member.name)", shown) } else { nil }
      }
    }
  }

  /// The explanation's entry for the version of the SDK.
  func sdkRead() -> [Explanation.Read] {
    [.init("/process/sdkVersion", process.sdkVersion.isEmpty ? .unset : .text(process.sdkVersion))]
  }

  /// The explanation's entry for an assumption, by the name of its member.
  func assumptionRead(_ name: String, _ choice: Bool) -> [Explanation.Read] {
    [.init("/settings/assumptions/\(name)", .bool(choice))]
  }
}
