/// The rules of keyboards and of dictation.
enum InputRule: UInt8, DecisionRule {
  /// D: Third party keyboards.
  case keyboardsFree
  /// D: blocked from SDK 12.0.16 on.
  case keyboardsTooOld
  /// D: blocked for all accounts, even personal ones.
  case keyboardsBlocked
  /// L: `DictationBlocked` in what devices report.
  case dictationFree
  case dictationBlocked
  /// DERIVED: the accounts for which it is blocked.
  case dictationFreeForAccount
  case dictationBlockedForAll

  @inline(__always)
  var row: RuleRow<Permission> {
    switch self {
    case .keyboardsFree:
      RuleRow(
        "keyboard.1", .allowed, "no policy that is in force blocks keyboards of other makers",
        unless: "a policy blocks keyboards of other makers")
    case .keyboardsTooOld:
      RuleRow(
        "keyboard.2", .allowed, "the SDK is too old to block keyboards", unless: "the SDK can block keyboards",
        reads: .sdkVersion)
    case .keyboardsBlocked:
      RuleRow(
        "keyboard.3", .denied,
        "a policy that is in force blocks keyboards of other makers, for every account of the app",
        when: "a policy blocks keyboards of other makers", reads: .setting { .thirdPartyKeyboardsBlocked })
    case .dictationFree:
      RuleRow(
        "dictation.1", .allowed, "no policy that is in force blocks dictation",
        unless: "a policy in force blocks dictation")
    case .dictationBlocked:
      RuleRow(
        "dictation.2", .denied, "the account's policy blocks dictation", when: "{account}'s policy blocks dictation")
    case .dictationFreeForAccount:
      RuleRow(
        "dictation.3", .allowed, "another account's policy blocks dictation, which is taken to be its affair alone",
        when: "a blocked dictation concerns only {account}", reads: .assumption, assumes: "dictationBlockIsPerAccount")
    case .dictationBlockedForAll:
      RuleRow(
        "dictation.3", .denied, "an account's policy blocks dictation, which is taken to cover every account",
        unless: "a blocked dictation concerns only {account}", reads: .assumption, assumes: "dictationBlockIsPerAccount"
      )
    }
  }
}

extension RuleCondition {
  static var policyBlocksKeyboards: RuleCondition {
    RuleCondition(
      "keyboard.setting", "{account}'s policy blocks keyboards of other makers",
      reads: .setting { .thirdPartyKeyboardsBlocked })
  }
}
