import Expectations
import Testing

@testable import AppProtection

@Suite("Enrollment ids of the token library")
struct EnrollmentIDCacheTests {
  static let cache = EnrollmentIDCache(entries: [
    .init(tenantID: "t", objectID: "1", homeAccountID: "1.t", userID: "a@contoso.com", enrollmentID: "first"),
    .init(tenantID: "t", objectID: "2", homeAccountID: "2.T", userID: "b@fabrikam.com", enrollmentID: "second"),
  ])

  @Test("An enrollment id is found by home account id, then by user id, and the first one only where nobody is named")
  func lookup() {
    let cases: [(String?, String?, String?, EnrollmentIDCache.Match?)] = [
      ("2.T", "a@contoso.com", "second", .homeAccountID), ("3.t", "b@fabrikam.com", "second", .userID),
      (nil, "a@contoso.com", "first", .userID), (nil, nil, "first", .first), ("", "", "first", .first),
      ("3.t", nil, nil, nil), (nil, "c@contoso.com", nil, nil),
    ]
    for (home, user, id, match) in cases {
      let found = Self.cache.entry(homeAccountID: home, userID: user)
      #expect(found?.entry.enrollmentID == id && found?.match == match, "\(home ?? "-") \(user ?? "-")")
    }
    #expect(EnrollmentIDCache(entries: []).entry(homeAccountID: nil, userID: nil) == nil)
  }

  @Test("Older token libraries compare enrollment ids' accounts with their case, and find nothing or somebody else")
  func letterCase() {
    expectEqual(Self.cache.entry(homeAccountID: "2.t", userID: nil)?.entry.enrollmentID, "second")
    #expect(Self.cache.entry(homeAccountID: "2.t", userID: nil, isCaseSensitive: true) == nil)
    let other = Self.cache.entry(homeAccountID: "2.t", userID: "a@contoso.com", isCaseSensitive: true)
    expectEqual(other?.entry.enrollmentID, "first")
  }

  @Test(
    "A token is refused although the app is enrolled where its request finds no enrollment id, and the reason is said")
  func refusals() {
    let empty = EnrollmentIDCache(entries: [])
    expectEqual(
      empty.refusal(homeAccountID: "1.t", userID: nil),
      "the token library has no enrollment id: enroll before asking for a token")
    expectEqual(
      Self.cache.refusal(homeAccountID: "3.t", userID: nil),
      "the token library has no enrollment id for this account: compare the home account id and the user id")
    expectEqual(
      Self.cache.refusal(homeAccountID: "2.t", userID: nil),
      "an older token library finds no enrollment id, because the case differs: update the token library")
    #expect(Self.cache.refusal(homeAccountID: "1.t", userID: nil) == nil)
    #expect(Self.cache.refusal(homeAccountID: nil, userID: nil) == nil)
  }
}
