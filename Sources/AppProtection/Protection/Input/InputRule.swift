/// The rules of keyboards and of dictation.
enum InputRule: CaseIterable, OutcomeRule {
  /// D: Third party keyboards.
  case keyboardsFree
  /// D: blocked from SDK 12.0.16 on.
  case keyboardsTooOld
  /// D: blocked for all accounts, personal ones too.
  case keyboardsBlocked
  /// L: `DictationBlocked` in what devices report.
  case dictationFree
  case dictationBlocked
  /// DERIVED: for whom it is blocked.
  case dictationFreeForAccount
  case dictationBlockedForAll

  var id: String {
    switch self {
    case .keyboardsFree: "keyboard.1"
    case .keyboardsTooOld: "keyboard.2"
    case .keyboardsBlocked: "keyboard.3"
    case .dictationFree: "dictation.1"
    case .dictationBlocked: "dictation.2"
    case .dictationFreeForAccount, .dictationBlockedForAll: "dictation.3"
    }
  }

  var outcome: Permission {
    switch self {
    case .keyboardsBlocked, .dictationBlocked, .dictationBlockedForAll: .denied
    default: .allowed
    }
  }

  var assumption: String? {
    self == .dictationFreeForAccount || self == .dictationBlockedForAll ? "dictationBlockIsPerAccount" : nil
  }

  var reason: String {
    switch self {
    case .keyboardsFree: "no policy that is in force blocks keyboards of other makers"
    case .keyboardsTooOld: "the SDK is too old to block keyboards"
    case .keyboardsBlocked: "a policy that is in force blocks keyboards of other makers, for every account of the app"
    case .dictationFree: "no policy that is in force blocks dictation"
    case .dictationBlocked: "the account's policy blocks dictation"
    case .dictationFreeForAccount: "another account's policy blocks dictation, which is taken to be its affair alone"
    case .dictationBlockedForAll: "an account's policy blocks dictation, which is taken to cover every account"
    }
  }

  var ground: DecisionGround { .input(self) }
}
