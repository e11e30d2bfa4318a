/// The rules of open-from, by their rows: what is asked of the policy of the account that receives the data, and what
/// of the policy of the account that owns it.
enum OpenFromRule: CaseIterable {
  case receiverAndSourceUnmanaged
  case unmanagedReceiver
  case receivesFromAllApps
  case receivesFromNoApp
  case openingAllowedInAccount
  case openingAllowedElsewhere
  case listedInAccount
  case listedOutsideAccount
  case notListed
  case sender

  var id: String {
    switch self {
    case .receiverAndSourceUnmanaged: "openFrom.1"
    case .unmanagedReceiver: "openFrom.2"
    case .receivesFromAllApps: "openFrom.3"
    case .receivesFromNoApp: "openFrom.4"
    case .openingAllowedInAccount: "openFrom.5"
    case .openingAllowedElsewhere: "openFrom.6"
    case .listedInAccount: "openFrom.7"
    case .listedOutsideAccount, .notListed: "openFrom.8"
    case .sender: "openFrom.sender"
    }
  }

  /// The member of ``Assumptions`` on which the rule rests.
  var assumption: String? {
    self == .openingAllowedElsewhere ? "openAllowCoversForeignLocations" : nil
  }

  /// The outcome with its reason.
  func decision(_ allows: Bool) -> Decision<TransferOutcome> {
    Decision(outcome: allows ? .allowed : .denied, ground: .openFrom(self, allows: allows))
  }

  func reason(_ allows: Bool) -> String {
    switch self {
    case .receiverAndSourceUnmanaged: "neither the receiver nor the source belongs to a managed account"
    case .unmanagedReceiver:
      allows
        ? "the source's account may send data to all apps"
        : "the source's account may not send data to unmanaged receivers"
    case .receivesFromAllApps: "the receiver may receive data from all apps, which leaves opening unrestricted"
    case .receivesFromNoApp: "the receiver may receive data from no app, which blocks every source whatever is listed"
    case .openingAllowedInAccount: "the receiver may open data, and the source is its own"
    case .openingAllowedElsewhere:
      allows
        ? "the receiver may open data, which is taken to cover sources that are not its own"
        : "the receiver may open data, which is taken to cover its own sources only"
    case .listedInAccount: "the source is among the receiver's allowed sources, and is its own or belongs to no account"
    case .listedOutsideAccount: "the source is among the receiver's allowed sources, but is not its own"
    case .notListed: "the receiver may not open data, and the source is not among its allowed sources"
    case .sender: "the source's account may not send data to another account"
    }
  }
}
