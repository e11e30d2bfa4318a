import AppProtection
import JSON

/// A member whose value is not written as Graph writes it: why, and what was taken for it.
package struct MemberDoubt: Equatable, Sendable {
  /// What makes a value doubtful.
  package enum Cause: Equatable, Sendable {
    /// The exporting program wrote something else in place of the value.
    case lost
    /// The value has a form that says nothing certain.
    case unreadable
    /// The value has another form than Graph's, which says the same.
    case restated
  }

  /// The member's name.
  package let member: String
  /// The element of a list of settings that it concerns, from 0; `nil` when it concerns all of the member.
  package var element: Int?
  /// What makes the value doubtful.
  package let cause: Cause
  /// The reason, with what was taken where anything was: one sentence without a full stop.
  package let message: String
  /// What to do about it: one sentence without a full stop.
  package let remedy: String

  /// Whether nothing was taken for the value.
  package var isUnknown: Bool {
    switch cause {
    case .lost, .unreadable: true
    case .restated: false
    }
  }

  /// The members whose texts an administrator writes.
  private static let freeTexts: Set<String> = ["displayName", "description", "name"]

  /// The lists of which one odd element says nothing about the others.
  static let settingLists: Set<String> = ["customSettings", "settings", "permissionActions"]

  /// Whether the exporting program wrote something else in place of a member's value.
  static func isLost(_ member: String, _ value: JSONValue) -> Bool {
    guard !freeTexts.contains(member) else { return value.string.flatMap(RestatedValue.reasonForNoValue) != nil }
    return RestatedValue.isLost(value) || (GraphMember.named(member) != nil && RestatedValue.isHollow(value))
  }

  /// A value in whose place the exporting program wrote something else.
  static func lost(_ member: String, _ value: JSONValue) -> MemberDoubt {
    if let reason = value.string.flatMap(RestatedValue.reasonForNoValue) {
      return MemberDoubt(
        member: member, cause: .lost, message: "\(reason), so that the value is unknown",
        remedy: "write the value itself")
    }
    return MemberDoubt(
      member: member, cause: .lost, message: "the exporting program did not write the value, which is unknown",
      remedy: "export the document again, with a greater depth")
  }

  /// A value for which nothing was taken.
  static func unreadable(_ member: String, _ error: PolicyDocumentError) -> MemberDoubt {
    MemberDoubt(
      member: member, cause: .unreadable, message: "\(error.message), so that the value is unknown",
      remedy: error.remedy)
  }

  /// A value for which another was taken.
  static func restated(_ member: String, _ value: JSONValue, as taken: JSONValue) -> MemberDoubt {
    // What differs between two lists or objects stands inside them.
    let isSame = JSONExcerpt.phrase(value) == JSONExcerpt.phrase(taken)
    let form = isSame ? "\(JSONExcerpt.phrase(value)) with texts of another form" : JSONExcerpt.phrase(value)
    let words = isSame ? "its texts in Graph's form" : JSONExcerpt.phrase(taken)
    return MemberDoubt(
      member: member, cause: .restated, message: "\(form) was found, and \(words) was taken for it",
      remedy: "write it as Graph does, if another value is meant")
  }
}
