/// The rules of save-to, by their rows: those of the policy of the data's owner, and those of the policy of the
/// location's account.
package enum SaveToRule: UInt8, DecisionRule {
  case ownerAndLocationUnmanaged
  case unmanagedOwner
  case unmanagedOwnerRefused
  case sendsToAllApps
  case sendsToNoApp
  case savingAllowedInAccount
  case savingAllowedElsewhere
  case savingRefusedElsewhere
  case listedInAccount
  case listedElsewhere
  case listedOutsideAccount
  case listedPhotoLibrary
  case listedLocalDriveInAccount
  case listedLocalDriveWithoutAccount
  case listedLocalDriveUnnamed
  case accountDocument
  case accountDocumentRefused
  case notListed
  case receiver

  @inline(__always)
  package var row: RuleRow<TransferOutcome> {
    switch self {
    case .ownerAndLocationUnmanaged:
      RuleRow(
        "saveTo.1", .allowed, "neither the data nor the location belongs to a managed account",
        when: "neither side is managed")
    case .unmanagedOwner:
      RuleRow(
        "saveTo.2", .allowed, "the location's account may receive data from all apps",
        when: "{account} may receive data from all apps", reads: .receiving)
    case .unmanagedOwnerRefused:
      RuleRow(
        "saveTo.2", .denied, "the location's account may not receive data from unmanaged sources",
        unless: "{account} may receive data from all apps", reads: .receiving)
    case .sendsToAllApps:
      // Blocking saves can only be configured together with restricted sending.
      RuleRow(
        "saveTo.3", .allowed, "the owner may send data to all apps, which leaves saving copies unrestricted",
        when: "{account} may send data to all apps", reads: .sending)
    case .sendsToNoApp:
      // Without any sending, saving is blocked and has no exceptions.
      RuleRow(
        "saveTo.4", .denied, "the owner may send data to no app, which blocks every save whatever is listed",
        unless: "{account} may send data to managed apps", reads: .sending)
    case .savingAllowedInAccount:
      RuleRow(
        "saveTo.5", .allowed, "the owner may save copies, and the location is its own",
        when: "the location belongs to {account}")
    case .savingAllowedElsewhere:
      RuleRow(
        "saveTo.6", .allowed, "the owner may save copies, which is taken to cover locations that are not its own",
        when: "leave to save covers locations that are not {account}'s", reads: .assumption,
        assumes: "saveAllowCoversForeignLocations")
    case .savingRefusedElsewhere:
      RuleRow(
        "saveTo.6", .denied, "the owner may save copies, which is taken to cover its own locations only",
        unless: "leave to save covers locations that are not {account}'s", reads: .assumption,
        assumes: "saveAllowCoversForeignLocations")
    case .listedInAccount:
      RuleRow(
        "saveTo.7", .allowed, "the location is among the owner's allowed locations, and is its own",
        when: "the location belongs to {account}")
    case .listedElsewhere:
      RuleRow(
        "saveTo.8", .allowed,
        "the location is among the owner's allowed locations, which is taken to cover any account",
        when: "an allowed location counts for any account", reads: .assumption,
        assumes: "listedLocationNeedsOwnerAccount")
    case .listedOutsideAccount:
      RuleRow(
        "saveTo.8", .denied, "the location is among the owner's allowed locations, but is not its own",
        unless: "an allowed location counts for any account", reads: .assumption,
        assumes: "listedLocationNeedsOwnerAccount")
    case .listedPhotoLibrary:
      RuleRow(
        "saveTo.9", .allowed, "the photo library is among the owner's allowed locations",
        when: "the photo library belongs to no account")
    case .listedLocalDriveInAccount:
      RuleRow(
        "saveTo.10", .allowed, "local storage is among the owner's allowed locations, and is its own",
        when: "the location belongs to {account}")
    case .listedLocalDriveWithoutAccount:
      RuleRow(
        "saveTo.11", .allowed,
        "local storage is among the owner's allowed locations, and no account needs to be named with it",
        when: "allowed local storage counts without an account", reads: .assumption,
        assumes: "listedLocalDriveNeedsOwnerAccount")
    case .listedLocalDriveUnnamed:
      RuleRow(
        "saveTo.11", .denied, "local storage is among the owner's allowed locations, but was not said to be its own",
        unless: "allowed local storage counts without an account", reads: .assumption,
        assumes: "listedLocalDriveNeedsOwnerAccount")
    case .accountDocument:
      RuleRow(
        "saveTo.12", .allowed,
        "saving is restricted to allowed locations, which is taken not to keep a document from its own account",
        when: "a document of {account} stays in the account", reads: .assumption,
        assumes: "accountDocumentStaysInAccount")
    case .accountDocumentRefused:
      RuleRow(
        "saveTo.12", .denied,
        "saving is restricted to allowed locations, which is taken to cover documents of the account too",
        unless: "a document of {account} stays in the account", reads: .assumption,
        assumes: "accountDocumentStaysInAccount")
    case .notListed:
      RuleRow(
        "saveTo.13", .denied, "the owner may not save copies, and the location is not among its allowed locations",
        unless: "{other} is among the allowed locations", reads: .setting { .allowedDataStorageLocations })
    case .receiver:
      RuleRow(
        "saveTo.receiver", .denied, "the location's account may not receive data of another account",
        unless: "{account} may receive data of another account", reads: .receiving)
    }
  }
}

extension RuleCondition {
  static var savingIsBlocked: RuleCondition {
    RuleCondition(
      "saveTo.saveAsBlocked", "saving copies of {account}'s data is blocked", reads: .setting { .saveAsBlocked })
  }
  static var saveLocationIsListed: RuleCondition {
    RuleCondition(
      "saveTo.listed", "{other} is among the allowed locations", reads: .setting { .allowedDataStorageLocations })
  }
  static var saveLocationIsOwn: RuleCondition {
    RuleCondition("saveTo.ownAccount", "the location belongs to {account}")
  }
}
