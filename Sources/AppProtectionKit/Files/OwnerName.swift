import AppProtection

/// The names by which protected files and data know an account.
enum OwnerName {
  /// The name that new files and data get: the object id, or the user principal name where that is unknown. Letter case never
  /// matters in either.
  static func of(_ reference: AccountReference, in state: AppProtectionState) -> String? {
    all(of: state.account(for: reference), reference).first
  }

  /// Every name that an account's files can have. One that was enrolled by its user principal name may have learnt its
  /// object id later.
  static func all(of account: Account?, _ reference: AccountReference? = nil) -> [String] {
    let objectID = account?.objectID ?? reference?.objectID
    let name = account?.userPrincipalName ?? reference?.userPrincipalName
    return [objectID?.description.lowercased(), name?.lowercased()].compactMap(\.self)
  }

  /// The account that a header names.
  static func account(_ owner: String, in state: AppProtectionState) -> LocationAccount {
    state.locationAccount(for: AccountReference(owner)) == .unnamed
      ? .unknown : state.locationAccount(for: AccountReference(owner))
  }
}
