import AppProtection

/// Whether a policy counts for a user in an app, and why or why not.
///
/// ```swift
/// let targeting = PolicyTargeting(of: policy, for: question)
/// targeting.outcome  // .yes, .no, or .unknown where facts are missing
/// ```
///
/// The order of the reasons is the order in which the service decides (D assign policies; D filters): platform, apps, excluded
/// groups, included groups with their filters, kinds of device management.
public struct PolicyTargeting: Sendable {
  /// What is asked, and what is known.
  public struct Question: Sendable {
    /// The app's bundle identifier, or its package on Android.
    public var app: String
    /// The platform of the device.
    public var platform: PolicyPlatform
    /// The user's names: user principal name, object id, or any by which the memberships know them.
    public var user: [String]
    /// Who is in which group.
    public var groups: GroupMemberships
    /// The filters of the export, by their identifiers in lower case.
    public var filters: [String: AssignmentFilter]
    /// What is known of the device.
    public var device: FilterFacts
    /// Whether a list of members has the user.
    let isUserKnown: Bool
    /// Whether the app may be mistyped: it is no identifier, or almost one that is known.
    public var isAppDoubtful = false

    /// Filters are found by their identifiers and their names.
    public init(
      app: String, on platform: PolicyPlatform = .ios, user: [String], groups: GroupMemberships,
      filters: [AssignmentFilter], device: FilterFacts
    ) {
      (self.app, self.platform, self.user, self.groups) = (app, platform, user, groups)
      self.device = device.seen(on: platform)
      isUserKnown = groups.knows(user)
      // An identifier comes before another filter's name, and a name that several have is none.
      let named = Dictionary(grouping: filters.filter { $0.displayName != nil }) { $0.displayName?.lowercased() ?? "" }
      self.filters = named.compactMapValues { Set($0.map(\.id)).count == 1 ? $0.last : nil }
      for filter in filters { if let id = filter.id { self.filters[id.lowercased()] = filter } }
    }
  }

  /// The known app that a name may mean, where it may be mistyped.
  ///
  /// - Parameters:
  ///   - app: The name as it was given.
  ///   - policies: The policies whose lists of apps are known.
  public static func intended(
    by app: String, in policies: [PolicyDocument], on platform: PolicyPlatform
  ) -> (isDoubtful: Bool, near: String?) {
    let listed = policies.flatMap { $0.targeting.apps ?? [] }.compactMap(\.bundleID)
    return TargetedApps.meant(by: app, among: listed, on: platform)
  }

  /// The apps that a policy certainly is for, by their identifiers in lower case.
  package static func apps(of policy: PolicyDocument) -> Set<String> {
    TargetedApps.certain(policy.targeting, on: policy.kind.platform)
  }

  /// The subject of a reason.
  public enum Step: String, Sendable, CaseIterable {
    case platform
    case app
    case exclusion
    case inclusion
    case filter
    case management
    case precedence
  }

  /// What would decide a reason that is undecided.
  public enum Missing: Hashable, Sendable {
    /// Facts of the device.
    case facts([String])
    /// The members of a group.
    case members(group: String)
    /// A filter.
    case filter(id: String)
    /// Which apps a group of apps has.
    case appsOf(AppGroupType)
    /// A member that the export lacks.
    case member(String)
  }

  /// One reason.
  public struct Reason: Equatable, Sendable {
    /// What it is about.
    public let step: Step
    /// Whether the policy counts as far as this goes.
    public let outcome: Truth
    /// The reason: a phrase without the names of an organization's groups and filters.
    public let message: String
    /// The group or filter concerned; `nil` if none is.
    public let name: String?
    /// What would decide it; `nil` where it is decided, or where nothing would.
    public let missing: Missing?
  }

  /// Whether the policy counts.
  public let outcome: Truth
  /// Why, in the order of the steps. Where it does not count, the last one says why.
  public private(set) var reasons: [Reason] = []

  /// Decides about one policy.
  ///
  /// - Parameters:
  ///   - lost: The members whose values are lost or unreadable.
  ///   - isPartial: Whether a setting that the document lacks is unknown.
  ///   - listsGroupsAlone: Whether the document may be assigned to more than the groups that it lists.
  public init(
    of policy: PolicyDocument, lacking lost: Set<String> = [], isPartial: Bool = false, listsGroupsAlone: Bool = false,
    for question: Question
  ) {
    var decision = Decision(question, lost, isPartial)
    decision.listsGroupsAlone = listsGroupsAlone
    outcome = decision.outcome(of: policy)
    reasons = decision.reasons
  }

  /// Decides about one app configuration for managed apps, which is assigned as a policy is.
  ///
  /// - Parameters:
  ///   - lost: The members whose values are lost or unreadable.
  ///   - isPartial: Whether a member that the document lacks is unknown.
  public init(
    of configuration: AppConfigurationDocument, lacking lost: Set<String> = [], isPartial: Bool = false,
    for question: Question
  ) {
    var decision = Decision(question, lost, isPartial)
    outcome = decision.outcome(of: configuration)
    reasons = decision.reasons
  }
}

/// Takes one decision.
private struct Decision {
  private typealias Step = PolicyTargeting.Step
  private typealias Missing = PolicyTargeting.Missing

  private let question: PolicyTargeting.Question
  private let lost: Set<String>
  private let isPartial: Bool
  var listsGroupsAlone = false
  var reasons: [PolicyTargeting.Reason] = []

  init(_ question: PolicyTargeting.Question, _ lost: Set<String>, _ isPartial: Bool) {
    (self.question, self.lost, self.isPartial) = (question, lost, isPartial)
  }

  /// Whether the document had or may have had a member that it lacks.
  private func isUnknown(_ member: String, isAbsent: Bool) -> Bool { lost.contains(member) || isPartial && isAbsent }

  private mutating func addReason(
    _ step: Step, _ outcome: Truth, _ message: String, _ name: String? = nil, lacking missing: Missing? = nil
  ) {
    reasons.append(
      PolicyTargeting.Reason(step: step, outcome: outcome, message: message, name: name, missing: missing))
  }

  mutating func outcome(of policy: PolicyDocument) -> Truth {
    guard policy.kind.platform == question.platform || policy.kind == .defaultPolicy else {
      addReason(.platform, .no, "the policy is for \(policy.kind.platform.rawValue)")
      return .no
    }
    let (holdsApp, why, missing) = holds(policy.targeting)
    // The default policy has no list of apps or groups of its own.
    let isDefault = policy.kind == .defaultPolicy
    let app: Truth = isDefault && policy.targeting.apps == nil ? .yes : holdsApp
    addReason(
      .app, app, isDefault && policy.targeting.apps == nil ? "the default policy is about every app" : why,
      lacking: app == .unknown ? missing : nil)
    guard app != .no else { return .no }
    if isDefault {
      addReason(.inclusion, .yes, "the default policy is for users whom no other policy covers")
      return app
    }
    return app && reach(policy.targeting)
  }

  mutating func outcome(of configuration: AppConfigurationDocument) -> Truth {
    if let platform = configuration.platform, platform != question.platform {
      addReason(.platform, .no, "the policy is for \(platform.rawValue)")
      return .no
    }
    let targeting = configuration.targeting
    let (app, why, missing) = holds(targeting)
    addReason(.app, app, why, lacking: missing)
    return app == .no ? .no : app && reach(targeting)
  }

  /// Whether the apps are the user's, why, and what would decide it.
  private func holds(_ targeting: PolicyDocument.Targeting) -> (Truth, why: String, Missing?) {
    let (app, why) = TargetedApps.holds(question.app, targeting, on: question.platform)
    if app == .no, question.isAppDoubtful { return (.unknown, "the app is known to no list", nil) }
    if app != .yes, isUnknown("appGroupType", isAbsent: targeting.appGroupType == nil) {
      return (.unknown, "the export does not say which group of apps the policy is for", .member("appGroupType"))
    }
    if app == .no, lost.contains("apps") {
      return (.unknown, "an app of the policy's list is unknown", .member("apps"))
    }
    guard app == .unknown else { return (app, why, nil) }
    let group = targeting.appGroupType ?? .selectedPublicApps
    return (app, why, group == .selectedPublicApps ? .member("apps") : .appsOf(group))
  }

  /// Whether the groups and the kinds of device management are the user's.
  private mutating func reach(_ targeting: PolicyDocument.Targeting) -> Truth {
    let target = target(of: targeting)
    guard target != .no else { return .no }
    return target && management(targeting)
  }

  // MARK: Groups

  private static let shared = ": several groups or users have the name; list members by id"

  private mutating func target(of targeting: PolicyDocument.Targeting) -> Truth {
    guard let assignments = targeting.assignments else {
      if targeting.isAssigned == false, !lost.contains("assignments") {
        addReason(.inclusion, .no, "the policy is assigned to no group")
        return .no
      }
      addReason(
        .inclusion, .unknown, "the export does not list the policy's assignments", lacking: .member("assignments"))
      return .unknown
    }
    let excluded = exclusion(assignments)
    guard excluded != .yes else { return .no }
    if lost.contains("assignments") {
      addReason(.inclusion, .unknown, "an assignment of the policy is unknown", lacking: .member("assignments"))
      return .unknown
    }
    if listsGroupsAlone {
      addReason(
        .inclusion, .unknown, "the export lists groups alone, and no other targets and no filters",
        lacking: .member("assignments"))
      return .unknown
    }
    let included = inclusion(assignments)
    return !excluded && included
  }

  /// Whether a group holds the user. Of one whom no list has, it is not known.
  private func membership(in group: String) -> (holds: Truth, ambiguous: String?) {
    let found = question.groups.membership(in: group, user: question.user)
    return found.holds == .no && !question.isUserKnown ? (.unknown, found.ambiguous) : found
  }

  private mutating func exclusion(_ assignments: [PolicyAssignment]) -> Truth {
    var result = Truth.no
    for assignment in assignments where !assignment.isInclusion {
      guard let group = assignment.groupID else { continue }
      if question.groups.isOfDevices(group) {
        addReason(.exclusion, .yes, "the excluded group is of devices, which excludes no user", group)
        continue
      }
      let (holds, ambiguous) = membership(in: group)
      switch holds {
      case .yes:
        addReason(.exclusion, .no, "the user is in a group that is excluded", group)
        return .yes
      case .unknown:
        addReason(
          .exclusion, .unknown,
          "whether the user is in a group that is excluded is not known" + (ambiguous == nil ? "" : Self.shared),
          ambiguous ?? group, lacking: .members(group: group))
        result = .unknown
      case .no: break
      }
    }
    return result
  }

  private mutating func inclusion(_ assignments: [PolicyAssignment]) -> Truth {
    var targets: [(assignment: PolicyAssignment, holds: Truth)] = []
    for assignment in assignments where assignment.isInclusion {
      let holds = holds(assignment)
      if holds != .no { targets.append((assignment, holds)) }
    }
    guard !targets.isEmpty else {
      addReason(.inclusion, .no, "the user is in no group that is included")
      return .no
    }
    // Of several targets, an exclusion by a filter comes before a target without one, and that before an inclusion by one.
    let modes = ["exclude", "none", "include"]
    func mode(_ assignment: PolicyAssignment) -> String {
      assignment.filterName == nil ? "none" : assignment.filterType?.lowercased() ?? "none"
    }
    if Set(targets.map { mode($0.assignment) }).count > 1 {
      addReason(
        .precedence, .yes,
        "several targets with different filters reach the user; their order is documented for devices only")
    }
    var result = Truth.no
    var isOpen = true
    for wanted in modes where isOpen {
      let chosen = targets.filter { mode($0.assignment) == wanted }
      guard !chosen.isEmpty else { continue }
      for target in chosen { result = result || (target.holds && passes(target.assignment)) }
      // A target that may not reach the user leaves the next ones their say.
      isOpen = !chosen.contains { $0.holds == .yes }
    }
    return result
  }

  private mutating func holds(_ assignment: PolicyAssignment) -> Truth {
    switch assignment.reach {
    case .allUsers:
      addReason(
        .inclusion, .yes,
        assignment.groupID == nil
          ? "it is assigned to all users, a target that the service refuses for policies of apps"
          : "it is assigned to the service's group of all users")
      return .yes
    case .allDevices:
      addReason(.inclusion, .no, "it is assigned to all devices, which reaches no user")
      return .no
    case .group(let group):
      if question.groups.isOfDevices(group) {
        addReason(.inclusion, .no, "the included group is of devices, which reaches no user", group)
        return .no
      }
      let (holds, ambiguous) = membership(in: group)
      switch holds {
      case .yes: addReason(.inclusion, .yes, "the user is in a group that is included", group)
      case .unknown:
        addReason(
          .inclusion, .unknown,
          "whether the user is in a group that is included is not known" + (ambiguous == nil ? "" : Self.shared),
          ambiguous ?? group, lacking: .members(group: group))
      case .no: break
      }
      return holds
    case .unknown:
      addReason(.inclusion, .unknown, "it is assigned to a target of an unknown kind")
      return .unknown
    }
  }

  // MARK: Conditions

  private mutating func passes(_ assignment: PolicyAssignment) -> Truth {
    guard let id = assignment.filterName else { return .yes }
    guard let filter = question.filters[id.lowercased()] else {
      addReason(
        .filter, .unknown, "the assignment has a filter that the export does not have", id, lacking: .filter(id: id))
      return .unknown
    }
    let name = filter.displayName ?? id
    if let platform = filter.platform, !isForApps(filter) {
      addReason(
        .filter, .unknown, "the filter is for \(platform), and not for apps on \(question.platform.rawValue)", name)
      return .unknown
    }
    let excludes = assignment.filterType?.lowercased() == "exclude"
    let rule: FilterRule
    do throws(PolicyDocumentError) {
      rule = try FilterRule(parsing: filter.rule)
    } catch {
      addReason(
        .filter, .unknown, "the filter's rule cannot be read: \(error.message) at column \(error.position.column)", name
      )
      return .unknown
    }
    let holds = rule.holds(for: question.device)
    let result = excludes ? !holds : holds
    let must = "\(excludes ? "must not" : "must") hold: \(rule.text)"
    switch result {
    case .yes: addReason(.filter, .yes, "the filter lets the device pass: \(rule.text)", name)
    case .no: addReason(.filter, .no, "the filter keeps the device out: \(rule.text)", name)
    case .unknown:
      let missing = rule.missing(in: question.device)
      addReason(
        .filter, .unknown, missing.isEmpty ? must : "\(must); not known: \(missing.joined(separator: ", "))", name,
        lacking: missing.isEmpty ? nil : .facts(missing))
    }
    return result
  }

  private func isForApps(_ filter: AssignmentFilter) -> Bool {
    filter.managementType?.lowercased() ?? "apps" == "apps"
      && filter.platform?.lowercased() == "\(question.platform.rawValue.lowercased())mobileapplicationmanagement"
  }

  private mutating func management(_ targeting: PolicyDocument.Targeting) -> Truth {
    let missing = question.device.missing(for: "deviceManagementType")
    if question.platform == .windows {
      // What device management holds, policies for apps leave alone (D Windows app protection policy settings).
      switch question.device.isManaged {
      case true?:
        addReason(.management, .no, "the device is managed, and on Windows policies for apps apply to others alone")
        return .no
      case false?: break
      case nil:
        addReason(
          .management, .unknown, "on Windows the device must not be managed; not known: \(missing)",
          lacking: .facts([missing]))
        return .unknown
      }
    }
    if isUnknown("targetedAppManagementLevels", isAbsent: targeting.targetedAppManagementLevels == nil) {
      addReason(
        .management, .unknown, "the export does not say for which kinds of device management the policy is",
        lacking: .member("targetedAppManagementLevels"))
      return .unknown
    }
    guard let levels = targeting.targetedAppManagementLevels, levels.rawValue != 0 else { return .yes }
    let words = AppManagementLevels.names.filter { levels.rawValue & $0.number != 0 }.map(\.name).joined(
      separator: ", ")
    let possible = question.device.managementLevels(on: question.platform) ?? []
    let holds = possible.contains { levels.contains($0) }
    guard !possible.isEmpty, possible.allSatisfy({ levels.contains($0) == holds }) else {
      let what = question.platform == .android && !possible.isEmpty ? "\(missing), which kind of Android's" : missing
      addReason(
        .management, .unknown, "the device's management must be one of: \(words); not known: \(what)",
        lacking: .facts([missing]))
      return .unknown
    }
    addReason(
      .management, Truth(holds),
      holds ? "the device's management is one of: \(words)" : "the device's management is none of: \(words)")
    return Truth(holds)
  }
}

extension PolicyAssignment {
  /// The filter that the assignment has; `nil` if it has none.
  var filterName: String? {
    guard let id = filterID, !id.isEmpty, filterType?.lowercased() ?? "none" != "none",
      id.contains(where: { $0 != "0" && $0 != "-" })
    else { return nil }
    return id
  }
}
