/// The rules of features that one setting allows or blocks: `printing.1` and so on, the same rows for each.
///
/// Sources: printing S002 Printing; contactSync, widgets, spotlight, siri and appSharing H:IntuneMAMPolicy and D; backup D;
/// genmoji and writingTools G.
struct FeatureRule: OutcomeRule {
  enum Row: CaseIterable {
    /// S004 Identity overview.
    case unmanaged
    case allowed
    case blocked
    /// H: in an app with several identities, keeping contacts out is the app's own affair.
    case blockedByApp
  }

  var feature: ProtectedFeature
  var row: Row

  static var table: [FeatureRule] {
    ProtectedFeature.allCases.flatMap { feature in
      Row.allCases.filter { $0 != .blockedByApp || feature == .contactSync }.map {
        FeatureRule(feature: feature, row: $0)
      }
    }
  }

  var id: String {
    switch row {
    case .unmanaged: "\(feature.rawValue).1"
    case .allowed: "\(feature.rawValue).2"
    case .blocked: "\(feature.rawValue).3"
    case .blockedByApp: "\(feature.rawValue).4"
    }
  }

  var outcome: Permission { row == .unmanaged || row == .allowed ? .allowed : .denied }

  var reason: String {
    let isSending = feature.setting == "allowedOutboundDataTransferDestinations"
    return switch row {
    case .unmanaged: "no policy is in force for the account"
    case .allowed:
      isSending
        ? "the account may send data to all apps, which allows \(feature.phrase)"
        : "the account's policy does not block \(feature.phrase)"
    case .blocked:
      isSending
        ? "the account may not send data to all apps, which blocks \(feature.phrase)"
        : "the account's policy blocks \(feature.phrase)"
    case .blockedByApp:
      "the account's policy blocks \(feature.phrase), and the app, which has several identities, must see to it"
    }
  }

  var ground: DecisionGround { .feature(self) }
}
