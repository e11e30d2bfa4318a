/// How the values of one setting in several policies become one: a ``CombinationRule`` for values of a type.
package struct SettingCombination<Value>: Sendable {
  let rule: CombinationRule
  /// The settings that form one choice.
  var group: PolicyGroup?
  /// Whether a policy restricts what the setting loosens. A list of exceptions has no effect where nothing is blocked.
  var restricts: @Sendable (PolicyDocument) -> Bool = { _ in true }
  /// The stricter of two values, the first where they are equally strict; for lists, the entries in both.
  var combined: @Sendable (Value, Value) -> Value = { one, _ in one }

  /// Describes a policy, and is not combined.
  package static var notCombined: Self { Self(rule: .notCombined) }

  /// The first policy that has the setting wins.
  package static var firstGiven: Self { Self(rule: .firstGiven) }

  /// Taken together with the other settings of a group.
  package static func together(_ group: PolicyGroup) -> Self { Self(rule: .strictestGroup, group: group) }

  private static func strictest(
    _ rule: CombinationRule, _ isStricter: @escaping @Sendable (_ other: Value, _ one: Value) -> Bool
  ) -> Self {
    Self(rule: rule, combined: { one, other in isStricter(other, one) ? other : one })
  }

  private static func intersection(
    _ restricts: @escaping @Sendable (PolicyDocument) -> Bool, _ both: @escaping @Sendable (Value, Value) -> Value
  ) -> Self {
    Self(rule: .intersection, restricts: restricts, combined: both)
  }
}

extension SettingCombination where Value == Bool {
  package static var onWins: Self { strictest(.onWins) { other, one in other && !one } }
  package static var offWins: Self { strictest(.offWins) { other, one in one && !other } }
}

extension SettingCombination where Value == Int {
  package static var smallestNumber: Self { strictest(.smallestNumber, <) }
  package static var largestNumber: Self { strictest(.largestNumber, >) }
}

extension SettingCombination where Value == Int {
  /// Days: the fewest win, and zero is no limit.
  package static var shortestLimit: Self {
    strictest(.shortestLimit) { other, one in other > 0 && (one == 0 || other < one) }
  }
}

extension SettingCombination where Value == PolicyDuration {
  package static var shortestDuration: Self { strictest(.shortestDuration) { $0.nanoseconds < $1.nanoseconds } }
  package static var shortestLimit: Self {
    strictest(.shortestLimit) { other, one in
      other.nanoseconds > 0 && (one.nanoseconds == 0 || other.nanoseconds < one.nanoseconds)
    }
  }
}

extension SettingCombination where Value: PolicyChoice {
  package static var strictestChoice: Self { strictest(.strictestChoice) { $0.strictness > $1.strictness } }
}

extension SettingCombination where Value == String {
  package static var higherVersion: Self {
    strictest(.higherVersion) { other, one in isHigher(other, than: one, none: false) }
  }
  package static var lowerVersion: Self {
    strictest(.lowerVersion) { other, one in isHigher(one, than: other, none: true) }
  }

  /// Whether a version is higher; `none` says whether no version is the highest.
  private static func isHigher(_ one: String, than other: String, none: Bool) -> Bool {
    switch (PolicyVersionNumber(one), PolicyVersionNumber(other)) {
    case (let one?, let other?): one > other
    case (nil, _?): none
    case (_?, nil): !none
    case (nil, nil): false
    }
  }

  /// The device models in both lists. Lists without a common entry allow no model, but an empty list would allow all:
  /// the result is an entry that no device has.
  package static func commonModels(where restricts: @escaping @Sendable (PolicyDocument) -> Bool) -> Self {
    intersection(restricts) { one, other in
      let common = PolicyText.common(one, other)
      return common.isEmpty ? "no common model;" : common
    }
  }
}

extension SettingCombination {
  /// The entries in both lists. An unknown name allows nothing, and two unknown names need not be the same.
  package static func common<Choice: PolicyChoice>(
    where restricts: @escaping @Sendable (PolicyDocument) -> Bool
  ) -> Self where Value == [Choice] {
    intersection(restricts) { one, other in one.filter(Set(other).subtracting([.unrecognized]).contains) }
  }
}

extension SettingCombination where Value == [String] {
  /// The entries in both lists, ignoring case.
  package static func common(where restricts: @escaping @Sendable (PolicyDocument) -> Bool) -> Self {
    intersection(restricts, PolicyText.common)
  }
}

extension SettingCombination where Value == [PolicyPair] {
  /// The entries that are in both, under one name even if their names differ.
  package static func common(where restricts: @escaping @Sendable (PolicyDocument) -> Bool) -> Self {
    intersection(restricts) { [PolicyPair("Default", PolicyText.common(entries($0), entries($1)))] }
  }

  /// The pairs whose names are in both.
  package static func commonNames(where restricts: @escaping @Sendable (PolicyDocument) -> Bool) -> Self {
    intersection(restricts) { one, other in
      let names = Set(other.map(\.name))
      return one.filter { names.contains($0.name) }
    }
  }

  private static func entries(_ pairs: [PolicyPair]) -> String {
    pairs.map { $0.value ?? "" }.joined(separator: ";")
  }
}
