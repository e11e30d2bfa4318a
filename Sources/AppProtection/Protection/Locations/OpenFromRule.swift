/// The rules of open-from, by their rows: those of the receiving account's policy, and those of the owning account's.
package enum OpenFromRule: UInt8, DecisionRule {
  case receiverAndSourceUnmanaged
  case unmanagedReceiver
  case unmanagedReceiverRefused
  case receivesFromAllApps
  case receivesFromNoApp
  case openingAllowedInAccount
  case openingAllowedElsewhere
  case openingRefusedElsewhere
  case listedInAccount
  case listedWithoutAccount
  case listedOutsideAccount
  case notListed
  case sender

  @inline(__always)
  package var row: RuleRow<TransferOutcome> {
    switch self {
    case .receiverAndSourceUnmanaged:
      RuleRow(
        "openFrom.1", .allowed, "neither the receiver nor the source belongs to a managed account",
        when: "neither side is managed")
    case .unmanagedReceiver:
      RuleRow(
        "openFrom.2", .allowed, "the source's account may send data to all apps",
        when: "{account} may send data to all apps", reads: .sending)
    case .unmanagedReceiverRefused:
      RuleRow(
        "openFrom.2", .denied, "the source's account may not send data to unmanaged receivers",
        unless: "{account} may send data to all apps", reads: .sending)
    case .receivesFromAllApps:
      // Blocking can only be configured together with restricted receiving.
      RuleRow(
        "openFrom.3", .allowed, "the receiver may receive data from all apps, which leaves opening unrestricted",
        when: "{account} may receive data from all apps", reads: .receiving)
    case .receivesFromNoApp:
      // Without any receiving, opening is blocked and has no exceptions.
      RuleRow(
        "openFrom.4", .denied,
        "the receiver may receive data from no app, which blocks every source whatever is listed",
        unless: "{account} may receive data from managed apps", reads: .receiving)
    case .openingAllowedInAccount:
      RuleRow(
        "openFrom.5", .allowed, "the receiver may open data, and the source is its own",
        when: "the location belongs to {account}")
    case .openingAllowedElsewhere:
      RuleRow(
        "openFrom.6", .allowed, "the receiver may open data, which is taken to cover sources that are not its own",
        when: "leave to open covers sources that are not {account}'s", reads: .assumption,
        assumes: "openAllowCoversForeignLocations")
    case .openingRefusedElsewhere:
      RuleRow(
        "openFrom.6", .denied, "the receiver may open data, which is taken to cover its own sources only",
        unless: "leave to open covers sources that are not {account}'s", reads: .assumption,
        assumes: "openAllowCoversForeignLocations")
    case .listedInAccount:
      RuleRow(
        "openFrom.7", .allowed,
        "the source is among the receiver's allowed sources, and is its own or belongs to no account",
        when: "the location belongs to {account}")
    case .listedWithoutAccount:
      RuleRow(
        "openFrom.7", .allowed,
        "the source is among the receiver's allowed sources, and is its own or belongs to no account",
        when: "{other} belongs to no account")
    case .listedOutsideAccount:
      RuleRow(
        "openFrom.8", .denied, "the source is among the receiver's allowed sources, but is not its own",
        unless: "the location belongs to {account}")
    case .notListed:
      RuleRow(
        "openFrom.8", .denied, "the receiver may not open data, and the source is not among its allowed sources",
        unless: "{other} is among the allowed sources", reads: .setting { .allowedDataIngestionLocations })
    case .sender:
      RuleRow(
        "openFrom.sender", .denied, "the source's account may not send data to another account",
        unless: "{account} may send data to another account", reads: .sending)
    }
  }
}

extension RuleCondition {
  static var openingIsBlocked: RuleCondition {
    RuleCondition(
      "openFrom.blockDataIngestion", "opening data into {account}'s documents is blocked",
      reads: .setting { .blockDataIngestionIntoOrganizationDocuments })
  }
  static var openLocationIsListed: RuleCondition {
    RuleCondition(
      "openFrom.listed", "{other} is among the allowed sources", reads: .setting { .allowedDataIngestionLocations })
  }
  static var openLocationIsOwn: RuleCondition {
    RuleCondition("openFrom.ownAccount", "the location belongs to {account}")
  }
}
