/// The token library's cache of enrollments (`intune_app_protection_enrollment_id_V1`), which supplies a token
/// request's enrollment id.
///
/// A request without the id of an enrollment is refused with −50004 although the app is enrolled
/// (AzureAD/microsoft-authentication-library-common-for-objc, PR 1873).
public struct EnrollmentIDCache: Equatable, Sendable {
  /// One enrollment.
  public struct Entry: Equatable, Sendable {
    /// The tenant's id (`tid`).
    public var tenantID: String
    /// The account's object id (`oid`).
    public var objectID: String
    /// The token library's own id of the account (`home_account_id`): object id, dot, tenant id.
    public var homeAccountID: String
    /// The user principal name (`user_id`).
    public var userID: String
    /// The id that a token request carries (`enrollment_id`).
    public var enrollmentID: String

    /// One account's ids, as the token library keeps them.
    public init(
      tenantID: String = "", objectID: String = "", homeAccountID: String = "", userID: String = "",
      enrollmentID: String
    ) {
      self.tenantID = tenantID
      self.objectID = objectID
      self.homeAccountID = homeAccountID
      self.userID = userID
      self.enrollmentID = enrollmentID
    }
  }

  /// How an entry was found.
  public enum Match: Equatable, Sendable, CaseIterable {
    /// The home account id is equal, ignoring case.
    case homeAccountID
    /// The user id is equal, ignoring case.
    case userID
    /// The request names neither, so the first entry is used.
    case first
  }

  /// The entries in the order of the cache.
  public var entries: [Entry]

  /// The cache as the token library would read it.
  public init(entries: [Entry]) {
    self.entries = entries
  }

  /// The entry whose id a token request carries: by home account id, then by user id; the first one for a request that
  /// names neither.
  ///
  /// - Parameters:
  ///   - homeAccountID: the home account id of the request; `nil` or empty if it has none.
  ///   - userID: the user id of the request; `nil` or empty if it has none.
  ///   - isCaseSensitive: whether upper and lower case differ, as they did in older token libraries.
  /// - Returns: `nil` if the cache is empty or lacks the account named; the request is then refused.
  public func entry(
    homeAccountID: String?, userID: String?, isCaseSensitive: Bool = false
  ) -> (entry: Entry, match: Match)? {
    func finds(_ wanted: String?, _ path: KeyPath<Entry, String>) -> Entry? {
      guard let wanted, !wanted.isEmpty else { return nil }
      return entries.first { entry in
        let name = entry[keyPath: path]
        return name == wanted || (!isCaseSensitive && AccountReference.areEqual(name, wanted))
      }
    }
    if let entry = finds(homeAccountID, \.homeAccountID) { return (entry, .homeAccountID) }
    if let entry = finds(userID, \.userID) { return (entry, .userID) }
    guard (homeAccountID ?? "").isEmpty && (userID ?? "").isEmpty else { return nil }
    return entries.first.map { ($0, .first) }
  }

  /// Why a token request is refused with −50004 although the app is enrolled; `nil` if both older and newer token
  /// libraries find its id.
  public func refusal(homeAccountID: String?, userID: String?) -> String? {
    guard let newer = entry(homeAccountID: homeAccountID, userID: userID) else {
      return entries.isEmpty
        ? "the token library has no enrollment id: enroll before asking for a token"
        : "the token library has no enrollment id for this account: compare the home account id and the user id"
    }
    let older = entry(homeAccountID: homeAccountID, userID: userID, isCaseSensitive: true)
    return older?.entry == newer.entry
      ? nil : "an older token library finds no enrollment id, because the case differs: update the token library"
  }
}
