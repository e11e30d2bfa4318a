/// The rule that settled a decision, with what its texts depend on.
enum DecisionGround: Equatable, Sendable {
  case saveTo(SaveToRule, allows: Bool)
  case openFrom(OpenFromRule, allows: Bool)
  case offline(OfflineRule)
  case transfer(TransferRule)
  case shareSheet(ShareSheetRule)
  case receive(ReceiveRule)
  case clipboard(ClipboardRule)
  case input(InputRule)
  case feature(FeatureRule)
  case notification(NotificationRule)
  case screenCapture(ScreenCaptureRule)
  case webView(WebViewRule)
  case link(LinkRule)
  case encryption(EncryptionRule)
  case dataProtection(DataProtectionRule)
  case pinDemand(PINDemandRule)

  var rule: String {
    switch self {
    case .saveTo(let rule, _): rule.id
    case .openFrom(let rule, _): rule.id
    case .offline(let rule): rule.rawValue
    default: row?.id ?? ""
    }
  }

  var reason: String {
    switch self {
    case .saveTo(let rule, let allows): rule.reason(allows)
    case .openFrom(let rule, let allows): rule.reason(allows)
    case .offline(let rule): rule.reason
    default: row?.reason ?? ""
    }
  }

  var assumption: String? {
    switch self {
    case .saveTo(let rule, _): rule.assumption
    case .openFrom(let rule, _): rule.assumption
    default: row?.assumption
    }
  }

  /// The rule as a row of its table.
  private var row: (any DecisionRule)? {
    switch self {
    case .saveTo, .openFrom, .offline: nil
    case .transfer(let rule): rule
    case .shareSheet(let rule): rule
    case .receive(let rule): rule
    case .clipboard(let rule): rule
    case .input(let rule): rule
    case .feature(let rule): rule
    case .notification(let rule): rule
    case .screenCapture(let rule): rule
    case .webView(let rule): rule
    case .link(let rule): rule
    case .encryption(let rule): rule
    case .dataProtection(let rule): rule
    case .pinDemand(let rule): rule
    }
  }
}
