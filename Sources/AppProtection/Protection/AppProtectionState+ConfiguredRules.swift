import EventSourcing

extension AppProtectionState {
  /// The path of a delivered value, whose entry counts from 0.
  static func configuredPath(_ key: String, in entry: Int, of account: AccountNumber?) -> String {
    "/configuration/\(shown(account))/\(entry + 1)/values/\(key)"
  }

  /// The path of the first delivered value of a key that cannot be read here; `nil` if every one can.
  func unreadablePath(_ key: String, of account: AccountNumber?) -> String? {
    guard let account, let entries = configuration.accounts[account]?.entries else { return nil }
    let place = entries.firstIndex { $0.values.contains { $0.key == key && !$0.isReadable } }
    return place.map { Self.configuredPath(key, in: $0, of: account) }
  }

  /// Records that a rule found no value where one is that cannot be read here: without it the app's answer may be another.
  func noteUnreadable<Rule: DecisionRule>(
    _ rule: Rule, _ key: String, of account: AccountNumber?, in explanation: inout Explanation
  ) {
    guard explanation.isRecording, let path = unreadablePath(key, of: account) else { return }
    note(rule, applies: false, of: account, .path(path), decides: false, in: &explanation)
  }
}
