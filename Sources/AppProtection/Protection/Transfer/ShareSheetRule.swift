/// The rules of what a share sheet lists.
enum ShareSheetRule: CaseIterable, OutcomeRule {
  /// S004 Identity overview.
  case unmanaged
  /// D: only "Policy managed apps with Open-In/Share filtering" filters.
  case notFiltered
  /// D: filtering is known from SDK 8.1.1 on.
  case tooOld
  /// D: a managed app that can decrypt what it gets.
  case managed
  /// D: everything else is left out.
  case hidden

  var id: String {
    switch self {
    case .unmanaged: "shareSheet.1"
    case .notFiltered: "shareSheet.2"
    case .tooOld: "shareSheet.3"
    case .managed: "shareSheet.4"
    case .hidden: "shareSheet.5"
    }
  }

  var outcome: Permission { self == .hidden ? .denied : .allowed }

  var reason: String {
    switch self {
    case .unmanaged: "no policy is in force for the owner"
    case .notFiltered: "the owner's policy does not filter what is listed for sharing"
    case .tooOld: "the SDK is older than the filter, which it does not know"
    case .managed: "the other app acts for the same account, and can take what is encrypted"
    case .hidden: "the owner's policy lists only managed apps that can take what is encrypted"
    }
  }

  var ground: DecisionGround { .shareSheet(self) }
}
