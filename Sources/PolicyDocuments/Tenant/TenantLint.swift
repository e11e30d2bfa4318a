import AppProtection
import JSON
import PlainText

/// Finds what no single document shows: contradictions between the policies, app configurations and groups of a tenant.
///
/// ```swift
/// var lint = TenantLint()
/// for item in file.policies { lint.add(item, in: "policies.json") }
/// for finding in lint.findings { print(finding.finding) }
/// ```
///
/// What an export does not have is unknown: it causes no finding, and ``unchecked`` names it.
public struct TenantLint: Sendable {
  /// A finding, and the document that it is about.
  public struct Finding: Sendable {
    /// What was found.
    public let finding: PolicyFinding
    /// Where the document lies in its file; empty where it is the file.
    public let path: String
  }

  private var documents: [TenantDocument] = []
  private var groups = TenantGroups()
  /// Whether documents are missing: a list goes on elsewhere, or a file could not be read.
  public var isIncomplete = false
  /// The most settings or apps that a finding names.
  private static let mostNames = 12

  /// A tenant without documents.
  public init() {}

  /// Takes a policy.
  public mutating func add(_ item: PolicyFile.Item, in file: String) {
    documents.append(TenantDocument(item, in: file))
  }

  /// Takes an app configuration, a group or a table of names; others say nothing of policies.
  ///
  /// - Parameters:
  ///   - lost: The members whose values are unknown.
  ///   - isPartial: Whether what the document lacks is unknown.
  public mutating func add(
    _ document: ManagementDocument, lacking lost: Set<String>, isPartial: Bool, in file: String
  ) {
    switch document {
    case .appConfiguration(let configuration):
      documents.append(TenantDocument(configuration, lacking: lost, isPartial: isPartial, in: file))
    case .group(let group): groups.add(group)
    case .names(let table): groups.add(table)
    case .registration, .deploymentSummary, .operation, .logCollectionRequest, .status, .wipeAction, .diagnosticStatus,
      .filter:
      break
    }
  }

  /// What was found, document by document.
  public var findings: [Finding] {
    var found: [(place: Int, finding: Finding)] = []
    var audiences = TenantAudiences(groups)
    checkIdentity(&found)
    checkPairs(&audiences, &found)
    checkApps(&found)
    checkGroups(&audiences, &found)
    checkTwins(&found)
    return found.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.map(
      \.element.finding)
  }

  /// What an export has to have so that everything is checked.
  public var unchecked: [String] {
    guard documents.count(where: { $0.item != nil }) > 1 else { return [] }
    var names: [String] = []
    if !references.isEmpty, groups.count == 0 { names.append("groups with their members") }
    if !devicePolicies.isEmpty, deviceConfigurations.isEmpty {
      names.append("app configurations for managed devices")
    }
    return names
  }

  // MARK: Managed devices

  /// The policies for managed devices with iOS alone, or beside others.
  private var devicePolicies: [Int] {
    documents.indices.filter { index in
      guard let item = documents[index].item, item.policy.kind == .targetedPolicy,
        !documents[index].lost.contains("targetedAppManagementLevels")
      else { return false }
      return documents[index].targeting.targetedAppManagementLevels?.contains(.mdm) == true
    }
  }

  private var deviceConfigurations: [TenantDocument] {
    documents.filter { $0.configuration?.channel == .managedDevices && $0.configuration?.platform != .android }
  }

  /// The keys either of which names the user of a managed device.
  private static let userKeys = ["IntuneMAMUPN", "IntuneMAMOID"]

  /// The apps to which the service may deliver the user itself; what is known of it is no source, so that nothing is said of them.
  private static let appsWithUser: Set<String> = [
    "com.microsoft.office.excel", "com.microsoft.office.outlook", "com.microsoft.office.powerpoint",
    "com.microsoft.skype.teams", "com.microsoft.office.word",
  ]

  /// Device management names apps by identifiers of its own, so that only an export without any name is certain.
  private func checkIdentity(_ found: inout [(place: Int, finding: Finding)]) {
    let configurations = deviceConfigurations
    let isKnown = configurations.allSatisfy { document in
      document.lost.isEmpty && !document.isPartial && document.configuration?.problems.isEmpty == true
    }
    guard !isIncomplete, !configurations.isEmpty, isKnown,
      !configurations.contains(where: { document in
        document.configuration?.settings.contains { Self.userKeys.contains($0.key) } == true
      })
    else { return }
    let keys = Self.userKeys.joined(separator: " or ")
    for index in devicePolicies {
      let apps = TargetedApps.certain(documents[index].targeting, on: .ios).subtracting(Self.appsWithUser).sorted()
      guard !apps.isEmpty else { continue }
      found.append(
        (
          index,
          documents[index].finding(
            .managedWithoutUPN, "targetedAppManagementLevels",
            "it is for managed devices, and none of the \(configurations.count.counted("app configuration")) for managed devices delivers \(keys), without which these apps count as unmanaged there: \(Self.list(apps.map { JSONExcerpt.plain($0) }))",
            remedy: "add \(keys) to an app configuration for managed devices of each of these apps")
        ))
    }
  }

  // MARK: Pairs

  private func checkPairs(
    _ audiences: inout TenantAudiences, _ found: inout [(place: Int, finding: Finding)]
  ) {
    for pair in TenantPairs(documents, &audiences).pairs {
      let more = pair.appCount == 1 ? "" : " and \((pair.appCount - 1).counted("more app", "more apps"))"
      found.append(
        (
          pair.one,
          documents[pair.one].finding(
            .differingPolicies, "assignments",
            "\(documents[pair.other].shownName) reaches the same users in \(JSONExcerpt.plain(pair.app))\(more) with other values: \(Self.list(pair.settings))",
            remedy: "exclude the users from one of the two, or set the same values: the strictest one counts")
        ))
    }
  }

  /// A setting with both values, which are left out where one is private.
  static func words(_ title: String, _ one: PortalValue, _ other: PortalValue) -> String {
    one.isPrivate || other.isPrivate ? title : "\(title) (\(one.words) here, \(other.words) there)"
  }

  private static func list(_ names: [String]) -> String {
    let rest = names.count - mostNames
    return names.prefix(mostNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  // MARK: Apps

  private func checkApps(_ found: inout [(place: Int, finding: Finding)]) {
    guard !isIncomplete else { return }
    var policies: [PolicyPlatform: [PolicyDocument.Targeting]] = [:]
    for platform in PolicyPlatform.allCases { policies[platform] = policiesWithKnownApps(on: platform) }
    var answers: [PolicyPlatform: [String: Bool]] = [:]
    /// Whether policies for a platform are there and none of them is for an app.
    func isInNoPolicy(_ app: String, on platform: PolicyPlatform) -> Bool {
      if let answer = answers[platform]?[app.lowercased()] { return answer }
      let answer =
        policies[platform].map { $0.allSatisfy { TargetedApps.holds(app, $0, on: platform).0 == .no } } ?? false
      answers[platform, default: [:]][app.lowercased()] = answer
      return answer
    }
    for index in documents.indices {
      let document = documents[index]
      guard let configuration = document.configuration, configuration.channel == .managedApps,
        configuration.appGroupType ?? .selectedPublicApps == .selectedPublicApps, !document.lost.contains("apps")
      else { continue }
      for (element, app) in (document.targeting.apps ?? []).enumerated() {
        guard let name = app.bundleID, PolicyLint.placeholder(in: app) == nil,
          let platform = PolicyPlatform.allCases.first(where: { $0.rawValue == PolicyLint.platform(of: app) }),
          isInNoPolicy(name, on: platform)
        else { continue }
        found.append(
          (
            index,
            document.finding(
              .appWithoutPolicy, "apps", element: element,
              "element \(element), \(JSONExcerpt.plain(name)), is in no policy for \(platform.rawValue), so that its data is not protected",
              remedy: "add the app to a policy for \(platform.rawValue), or remove it here")
          ))
      }
    }
  }

  /// What the policies for a platform are for; `nil` where there are none, or an app may be in one unseen.
  private func policiesWithKnownApps(on platform: PolicyPlatform) -> [PolicyDocument.Targeting]? {
    let policies = documents.filter { document in
      document.item.map { $0.policy.kind.platform == platform || $0.policy.kind == .defaultPolicy } ?? false
    }
    let isKnown = policies.allSatisfy { document in
      document.item?.policy.kind != .defaultPolicy && document.lost.isDisjoint(with: ["apps", "appGroupType"])
        && !(document.isPartial && document.targeting.appGroupType == nil)
    }
    return isKnown && !policies.isEmpty ? policies.map(\.targeting) : nil
  }

  // MARK: Groups

  /// The groups that assignments name.
  private var references: Set<String> {
    Set(documents.flatMap { $0.targeting.assignments ?? [] }.compactMap(\.reachedGroup))
  }

  /// The fewest groups with which an export has so many that one which it lacks is gone.
  private static let fewestGroups = 5

  private func checkGroups(
    _ audiences: inout TenantAudiences, _ found: inout [(place: Int, finding: Finding)]
  ) {
    guard groups.count > 0 else { return }
    let distinct = Set(references.map(groups.id))
    let members = distinct.reduce(into: [String: TenantGroups.Members]()) { $0[$1] = audiences.members(of: $1) }
    let known = distinct.count(where: groups.knows)
    // An export that lacks several groups is one of some groups, and says nothing of the others.
    let isWhole = !isIncomplete && known >= Self.fewestGroups && distinct.count - known == 1
    let listsMembers = groups.listsMembers
    for index in documents.indices {
      let document = documents[index]
      let assignments = document.targeting.assignments ?? []
      func add(_ rule: PolicyRule, _ element: Int, _ message: String, remedy: String) {
        found.append(
          (
            index,
            document.finding(rule, "assignments", element: element, "element \(element) \(message)", remedy: remedy)
          ))
      }
      func groupID(_ assignment: PolicyAssignment) -> String? { assignment.reachedGroup.map(groups.id) }
      let included = Set(assignments.filter(\.isInclusion).compactMap(groupID))
      let excluded = Set(assignments.filter { !$0.isInclusion }.compactMap(groupID))
      let gone = excluded.compactMap { members[$0] }.reduce(into: Set<Int>()) { $0.formUnion($1.users) }
      let reached = included.compactMap { members[$0] }
      for (element, assignment) in assignments.enumerated() {
        guard let group = groupID(assignment) else { continue }
        let verb = assignment.isInclusion ? "includes" : "excludes"
        guard groups.knows(group) else {
          if isWhole {
            add(
              .missingGroup, element,
              "\(verb) a group that is not among the \(groups.count.counted("group")) of the export",
              remedy: "look whether it was deleted; then remove the assignment, or export the group too")
          }
          continue
        }
        guard !groups.isEmpty(group) else {
          if listsMembers {
            add(
              .emptyGroup, element, "\(verb) a group without members",
              remedy: "add members to the group, or remove the assignment")
          }
          continue
        }
        guard let own = members[group], own.isWhole, !own.users.isEmpty else { continue }
        if assignment.isInclusion {
          guard !excluded.contains(group), own.users.isSubset(of: gone) else { continue }
          add(
            .cancelledInclusion, element, "includes a group all of whose members are in a group that is excluded",
            remedy: "remove it, or the exclusion")
        } else {
          // Those who are in a group of which a member is not known to be one may be in the other.
          guard let all = document.assignments, !included.isEmpty, !own.mayHoldGroups,
            all.allSatisfy({ !$0.isInclusion || groupID($0) != nil }), reached.count == included.count,
            reached.allSatisfy({ $0.isWhole && !$0.mayHoldGroups && $0.users.isDisjoint(with: own.users) })
          else { continue }
          add(
            .idleExclusion, element, "excludes a group no member of which is in a group that is included",
            remedy: "remove it, unless the groups are about to change")
        }
      }
    }
  }

  // MARK: Twins

  private func checkTwins(_ found: inout [(place: Int, finding: Finding)]) {
    var named: [String: [Int]] = [:]
    for index in documents.indices {
      guard let item = documents[index].item, item.policy.kind != .defaultPolicy,
        !documents[index].lost.contains("displayName"),
        let name = item.policy.about.displayName.map(Self.stem), !name.isEmpty
      else { continue }
      named[name, default: []].append(index)
    }
    for (_, places) in named {
      let sides = [PolicyPlatform.ios, .android].map { platform in
        places.filter { documents[$0].item?.policy.kind.platform == platform }
      }
      // Of several with one name, none is certainly the twin.
      guard sides.allSatisfy({ $0.count == 1 }), let one = documents[sides[0][0]].item,
        let other = documents[sides[1][0]].item
      else { continue }
      let settings = PlatformComparison(of: one.policy, with: other.policy).rows.compactMap { row -> String? in
        guard row.isDifferent, row.relation == .comparable,
          row.properties.contains(where: { $0.combination != .notCombined }),
          !row.properties.contains(where: { one.lost.contains($0.name) || other.lost.contains($0.name) }),
          let value = row.one, let second = row.other
        else { return nil }
        return Self.words(row.title, value, second)
      }
      guard !settings.isEmpty else { continue }
      found.append(
        (
          sides[0][0],
          documents[sides[0][0]].finding(
            .differingTwins, "displayName",
            "its twin for Android, \(documents[sides[1][0]].shownName), has other values: \(Self.list(settings))",
            remedy: "set the same values, or give the policies names of their own")
        ))
    }
  }

  /// A name without the names of platforms.
  private static func stem(_ name: String) -> String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.filter { !platformNames.contains($0) }.joined(separator: " ")
  }

  private static let platformNames: Set<String> = ["ios", "ipados", "iphone", "ipad", "android"]
}
