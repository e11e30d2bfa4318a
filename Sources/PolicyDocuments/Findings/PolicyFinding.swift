/// A point in a policy that needs attention: place, reason and next step.
public struct PolicyFinding: Equatable, Sendable, CustomStringConvertible {
  /// The rule that found it.
  public let rule: PolicyRule
  /// The setting concerned, by its name in Graph, or on a device if Graph has none.
  public let setting: String
  /// The element of the setting's list that it concerns, from 0; `nil` when it concerns all of it.
  public var element: Int?
  /// Where that stands; `nil` when the policy is from no file, or does not have the setting.
  public var place: DocumentPlace?
  /// The file as named by the caller; `nil` if there is none.
  public var file: String?
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public internal(set) var remedy: String
  /// Where the rule is published for the document's platform.
  public internal(set) var source: String

  init(_ rule: PolicyRule, _ setting: String, at place: DocumentPlace? = nil, _ message: String, remedy: String) {
    self.rule = rule
    self.setting = setting
    self.place = place
    self.message = message
    self.remedy = remedy
    source = rule.source
  }

  /// File, place, setting, reason and next step in one line: `policy.json: line 9, column 5: saveAsBlocked: … ; …`.
  ///
  /// Parts of the document are quoted, shortened and free of control characters.
  public var description: String {
    [file, place?.description, setting, "\(message); \(remedy)"].compactMap { $0 }.joined(separator: ": ")
  }

  /// The finding with its place in a file.
  func placed(by places: MemberPlaces, in file: String?) -> PolicyFinding {
    var finding = self
    finding.place = places.place(of: setting, element: element)
    finding.file = file
    return finding
  }
}
