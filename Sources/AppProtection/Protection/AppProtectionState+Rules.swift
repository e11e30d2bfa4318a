import EventSourcing

/// What an evaluation records. Each of these records the comparison if an explanation is requested; otherwise only a
/// flag is checked.
extension AppProtectionState {
  /// Decides a question by a rule.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - account: the account whose policy was asked; `nil` for none.
  ///   - object: the subject of the question.
  ///   - decides: whether the rule is final.
  ///   - explanation: receives the rule.
  @inline(__always)
  func decide<Rule: DecisionRule>(
    _ rule: Rule, of account: @autoclosure () -> AccountNumber? = nil,
    _ object: @autoclosure () -> RuleObject = .nothing,
    decides: @autoclosure () -> Bool = true, in explanation: inout Explanation
  ) -> Decision<Rule.Outcome> {
    if explanation.isRecording {
      record(rule, applies: true, of: account(), object(), decides: decides(), in: &explanation)
    }
    return rule.decision
  }

  /// Decides a question by a rule if that applies, and returns `nil` if it does not.
  @inline(__always)
  func decide<Rule: DecisionRule>(
    _ rule: Rule, if applies: Bool, of account: @autoclosure () -> AccountNumber? = nil,
    _ object: @autoclosure () -> RuleObject = .nothing, decides: @autoclosure () -> Bool = true,
    in explanation: inout Explanation
  ) -> Decision<Rule.Outcome>? {
    if explanation.isRecording {
      record(rule, applies: applies, of: account(), object(), decides: applies && decides(), in: &explanation)
    }
    return applies ? rule.decision : nil
  }

  /// Evaluates a condition that does not decide the question by itself, and returns whether it holds.
  @inline(__always)
  @discardableResult
  func check(
    _ condition: @autoclosure () -> RuleCondition, _ holds: Bool, of account: @autoclosure () -> AccountNumber? = nil,
    _ object: @autoclosure () -> RuleObject = .nothing, in explanation: inout Explanation
  ) -> Bool {
    if explanation.isRecording {
      record(condition(), holds, of: account(), object(), in: &explanation) { "\($0)" }
    }
    return holds
  }

  /// Records a rule that was evaluated.
  @inline(never)
  func record<Rule: DecisionRule>(
    _ rule: Rule, applies: Bool, of account: AccountNumber?, _ object: RuleObject, decides: Bool,
    in explanation: inout Explanation
  ) {
    let row = rule.row
    record(row.condition, applies == row.holds, of: account, object, decides: decides, in: &explanation, rule.filled)
  }

  private func record(
    _ condition: RuleCondition, _ holds: Bool, of account: AccountNumber?, _ object: RuleObject, decides: Bool = false,
    in explanation: inout Explanation, _ filled: (StaticString) -> String
  ) {
    explanation.evaluate(
      filled(condition.id), Self.statement(filled(condition.statement), account, object), holds,
      reads: condition.reads.flatMap { reads($0, by: condition, of: account, object, decides: decides, filled) },
      decides: decides)
  }

  /// A text with its placeholders replaced.
  private static func statement(_ text: String, _ account: AccountNumber?, _ object: RuleObject) -> String {
    text.filled { name in
      switch (name, object) {
      case ("account", _): shown(account)
      case ("other", .named(let other)): other
      case ("other", .account(let other)): shown(other)
      case (_, _): nil
      }
    }
  }

  private func reads(
    _ read: RuleRead, by condition: RuleCondition, of account: AccountNumber?, _ object: RuleObject, decides: Bool,
    _ filled: (StaticString) -> String
  ) -> [Explanation.Read] {
    switch read {
    case .setting(let property): return settingRead(property(), of: account)
    case .liftingSetting(let property): return decides ? settingRead(property(), of: account) : []
    case .otherSetting(let property):
      if case .account(let other) = object { return settingRead(property(), of: other) }
    case .path(let path): return [self.read(Self.statement(filled(path), account, object))]
    case .found:
      if case .path(let path?) = object { return [self.read(path)] }
    case .assumption:
      if let assumption = condition.assumption { return [self.read("/settings/assumptions/\(assumption)")] }
    }
    return []
  }

  /// The explanation's entry for a value of the state, by its path.
  func read(_ path: String) -> Explanation.Read {
    if case .value(let value)? = tree(at: path) { return Explanation.Read(path, value) }
    return Explanation.Read(path, .unset)
  }

  /// An account in a statement.
  static func shown(_ account: AccountNumber?) -> String {
    account?.description ?? "nobody"
  }
}

extension String {
  /// The text with its placeholders, such as `{account}`, replaced by their values. A placeholder without a value
  /// stays.
  func filled(_ value: (Substring) -> String?) -> String {
    var text = ""
    for (index, part) in split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      if index > 0, let end = part.firstIndex(of: "}"), let filler = value(part[..<end]) {
        text += filler + part[part.index(after: end)...]
      } else {
        text += index > 0 ? "{" + part : part
      }
    }
    return text
  }
}

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
  func recordUnreadable<Rule: DecisionRule>(
    _ rule: Rule, _ key: String, of account: AccountNumber?, in explanation: inout Explanation
  ) {
    guard explanation.isRecording, let path = unreadablePath(key, of: account) else { return }
    record(rule, applies: false, of: account, .path(path), decides: false, in: &explanation)
  }
}
