/// The rules of whether an account's data is behind the app PIN at all (`isPINRequired`).
enum PINDemandRule: CaseIterable, OutcomeRule {
  /// S004 Identity overview.
  case unmanaged
  /// H: IntuneMAMPolicy; D iOS app protection policy settings, "PIN for access".
  case notRequired
  /// D: "App PIN when device PIN is set".
  case devicePIN
  /// H: IntuneMAMPolicy.
  case required

  var id: String {
    switch self {
    case .unmanaged: "pinRequired.1"
    case .notRequired: "pinRequired.2"
    case .devicePIN: "pinRequired.3"
    case .required: "pinRequired.4"
    }
  }

  var outcome: PINDemand { self == .required ? .required : .notRequired }

  var reason: String {
    switch self {
    case .unmanaged: "no policy is in force for the account"
    case .notRequired: "the account's policy requires no PIN"
    case .devicePIN: "the account's policy skips the PIN on a managed device with a passcode"
    case .required: "the account's policy requires a PIN"
    }
  }

  var ground: DecisionGround { .pinDemand(self) }
}
