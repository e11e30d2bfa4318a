/// The rules of save-to, by their rows: what is asked of the policy of the data's owner, and what of the policy of the
/// account that owns the location.
enum SaveToRule: CaseIterable {
  case ownerAndLocationUnmanaged
  case unmanagedOwner
  case sendsToAllApps
  case sendsToNoApp
  case savingAllowedInAccount
  case savingAllowedElsewhere
  case listedInAccount
  case listedOutsideAccount
  case listedPhotoLibrary
  case listedLocalDriveInAccount
  case listedLocalDriveWithoutAccount
  case accountDocument
  case notListed
  case receiver

  var id: String {
    switch self {
    case .ownerAndLocationUnmanaged: "saveTo.1"
    case .unmanagedOwner: "saveTo.2"
    case .sendsToAllApps: "saveTo.3"
    case .sendsToNoApp: "saveTo.4"
    case .savingAllowedInAccount: "saveTo.5"
    case .savingAllowedElsewhere: "saveTo.6"
    case .listedInAccount: "saveTo.7"
    case .listedOutsideAccount: "saveTo.8"
    case .listedPhotoLibrary: "saveTo.9"
    case .listedLocalDriveInAccount: "saveTo.10"
    case .listedLocalDriveWithoutAccount: "saveTo.11"
    case .accountDocument: "saveTo.12"
    case .notListed: "saveTo.13"
    case .receiver: "saveTo.receiver"
    }
  }

  /// The member of ``Assumptions`` on which the rule rests.
  var assumption: String? {
    switch self {
    case .savingAllowedElsewhere: "saveAllowCoversForeignLocations"
    case .listedOutsideAccount: "listedLocationNeedsOwnerAccount"
    case .listedLocalDriveWithoutAccount: "listedLocalDriveNeedsOwnerAccount"
    case .accountDocument: "accountDocumentStaysInAccount"
    default: nil
    }
  }

  /// The outcome with its reason.
  func decision(_ allows: Bool) -> Decision<TransferOutcome> {
    Decision(outcome: allows ? .allowed : .denied, ground: .saveTo(self, allows: allows))
  }

  func reason(_ allows: Bool) -> String {
    switch self {
    case .ownerAndLocationUnmanaged: "neither the data nor the location belongs to a managed account"
    case .unmanagedOwner:
      allows
        ? "the location's account may receive data from all apps"
        : "the location's account may not receive data from unmanaged sources"
    case .sendsToAllApps: "the owner may send data to all apps, which leaves saving copies unrestricted"
    case .sendsToNoApp: "the owner may send data to no app, which blocks every save whatever is listed"
    case .savingAllowedInAccount: "the owner may save copies, and the location is its own"
    case .savingAllowedElsewhere:
      allows
        ? "the owner may save copies, which is taken to cover locations that are not its own"
        : "the owner may save copies, which is taken to cover its own locations only"
    case .listedInAccount: "the location is among the owner's allowed locations, and is its own"
    case .listedOutsideAccount:
      allows
        ? "the location is among the owner's allowed locations, which is taken to cover any account"
        : "the location is among the owner's allowed locations, but is not its own"
    case .listedPhotoLibrary: "the photo library is among the owner's allowed locations"
    case .listedLocalDriveInAccount: "local storage is among the owner's allowed locations, and is its own"
    case .listedLocalDriveWithoutAccount:
      allows
        ? "local storage is among the owner's allowed locations, and no account needs to be named with it"
        : "local storage is among the owner's allowed locations, but was not said to be its own"
    case .accountDocument:
      allows
        ? "saving is restricted to allowed locations, which is taken not to keep a document from its own account"
        : "saving is restricted to allowed locations, which is taken to cover documents of the account too"
    case .notListed: "the owner may not save copies, and the location is not among its allowed locations"
    case .receiver: "the location's account may not receive data of another account"
    }
  }
}
