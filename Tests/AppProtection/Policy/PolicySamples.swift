@testable import AppProtection

/// Policies for tests.
enum PolicySamples {
  /// A value that is neither empty nor zero, different for most properties.
  static func value(for property: PolicyProperty) -> PolicyValue {
    switch property.kind {
    case .text: return .text("text of \(property.name)")
    case .flag: return .flag(true)
    case .number(let range): return .number(min(range.upperBound, Int64(property.number)))
    case .duration: return (try? .duration(PolicyDuration("PT\(property.number)M4.5004762S"))) ?? .text("")
    case .date: return (try? .date(PolicyDate("2021-09-30T17:05:\(property.number).1234567-08:00"))) ?? .text("")
    case .choice(let names): return .choice(names.members.first { $0.number > 0 }?.number ?? 0)
    case .choices(let names): return .choices(names.members.map(\.number).reversed())
    case .flags(let names): return .flags(names.members.reduce(0) { $0 | $1.number })
    case .texts: return .texts(["b", "", "a"])
    case .pairs:
      return .pairs([PolicyPair("Default", "tel;telprompt;"), PolicyPair("x", nil), PolicyPair("y", "", typeName: "z")])
    case .apps:
      var app = PolicyApp()
      (app.id, app.version, app.bundleID) = ("com.microsoft.msedge.ios", "-2135752869", "com.microsoft.msedge")
      app.identifierTypeName = "#microsoft.graph.iosMobileAppIdentifier"
      return .apps([app, PolicyApp()])
    case .assignments:
      var assignment = PolicyAssignment()
      (assignment.id, assignment.groupID) = ("1", "5bc789cb-89cb-5bc7-cb89-c75bcb89c75b")
      assignment.targetTypeName = "#microsoft.graph.groupAssignmentTarget"
      (assignment.filterID, assignment.filterType, assignment.typeName) = ("f", "include", "t")
      return .assignments([assignment, PolicyAssignment()])
    }
  }

  /// The value of that kind that is empty or zero, which is something else than none.
  static func emptyValue(for property: PolicyProperty) -> PolicyValue {
    switch property.kind {
    case .text: .text("")
    case .flag: .flag(false)
    case .number(let range): .number(range.lowerBound)
    case .duration: (try? .duration(PolicyDuration("PT0S"))) ?? .text("")
    case .date: (try? .date(PolicyDate("1970-01-01T00:00:00Z"))) ?? .text("")
    case .choice(let names): .choice(names.members[0].number)
    case .choices: .choices([])
    case .flags: .flags(0)
    case .texts: .texts([])
    case .pairs: .pairs([])
    case .apps: .apps([])
    case .assignments: .assignments([])
    }
  }

  static func policy(_ value: (PolicyProperty) -> PolicySetting) -> PolicyDocument {
    var policy = PolicyDocument()
    for property in PolicyProperty.all { policy[property] = value(property) }
    return policy
  }

  /// Everything set.
  static var full: PolicyDocument {
    var policy = policy { .value(value(for: $0)) }
    policy.kind = .defaultPolicy
    policy.keptMembers = [KeptMember("#microsoft.graph.assign", json: "{}"), KeptMember("", json: "[1.50]")]
    return policy
  }
}
