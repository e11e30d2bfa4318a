/// How the portal words the values of one type.
package struct PortalWording<Value>: Sendable {
  /// The words for a value, which may be absent, and its document.
  let text: @Sendable (Value?, PolicyDocument) -> String?

  /// Words that follow from the value alone.
  package static func value(_ words: @escaping @Sendable (Value) -> String?) -> Self {
    Self { value, _ in value.flatMap(words) }
  }

  /// Words that follow from several settings together.
  package static func document(_ words: @escaping @Sendable (PolicyDocument) -> String?) -> Self { Self { words($1) } }
}

extension PortalWording where Value == Bool {
  /// The words for a flag.
  package static func flag(_ on: String, _ off: String) -> Self { .value { $0 ? on : off } }

  package static var blockOrAllow: Self { .flag("Block", "Allow") }
  package static var allowOrBlock: Self { .flag("Allow", "Block") }
  package static var requireOrNot: Self { .flag("Require", "Not required") }
  package static var yesOrNo: Self { .flag("Yes", "No") }
}

extension PortalWording where Value == Int {
  package static var number: Self { .value { "\($0)" } }
}

extension PortalWording where Value == String {
  package static var text: Self { .value { PortalWords.text($0) } }
  package static var version: Self { .value { PortalWords.version($0) } }
}

extension PortalWording where Value == PolicyDate {
  package static var date: Self { .value(\.text) }
}

extension PortalWording where Value == PolicyDuration {
  /// A whole number of units.
  ///
  /// - Parameter zero: The words for no time at all, where that means something else.
  package static func duration(in unit: PortalWords.Unit, zero: String? = nil) -> Self {
    .value { $0.nanoseconds == 0 ? zero ?? PortalWords.duration($0, in: unit) : PortalWords.duration($0, in: unit) }
  }
}

extension PortalWording where Value: PolicyChoice {
  /// The words for the members that the portal offers.
  package static func choice(_ words: KeyValuePairs<Value, String>) -> Self { .value { PortalWords.choice($0, words) } }
}

extension PortalWording where Value == FeatureConfigurationState {
  package static var blockOrAllow: Self { .choice([.notBlocked: "Allow", .blocked: "Block"]) }
}

extension PortalWording where Value == RemediationAction {
  package static var action: Self { .choice(PortalWords.actions) }
}

extension PortalWording where Value: PolicyFlags {
  /// The words for the bits.
  package static func flags(_ words: KeyValuePairs<UInt64, String>) -> Self { .value { PortalWords.flags($0, words) } }
}

extension PortalWording {
  /// The words for the members of a list.
  package static func choices<Choice: PolicyChoice>(_ words: KeyValuePairs<Choice, String>) -> Self
  where Value == [Choice] {
    .value { PortalWords.list($0.compactMap { PortalWords.choice($0, words) }) }
  }
}

extension PortalWording where Value == [String] {
  package static var list: Self { .value { PortalWords.list($0) } }
}
