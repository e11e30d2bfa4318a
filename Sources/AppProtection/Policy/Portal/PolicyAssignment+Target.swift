import PlainText

/// The target of an assignment (Graph: the types derived from `deviceAndAppManagementAssignmentTarget`).
extension PolicyAssignment {
  /// The kind of target.
  enum Target: Equatable {
    /// Every user with a license.
    case allUsers
    /// Every enrolled device.
    case allDevices
    /// The members of a group.
    case group
    /// All users except the members of a group.
    case exclusion
    /// An unknown target.
    case unknown

    /// The portal's name for a target other than a group of an organization.
    var name: String? {
      switch self {
      case .allUsers: "All users"
      case .allDevices: "All devices"
      case .group, .exclusion, .unknown: nil
      }
    }
  }

  /// The kind of target.
  var target: Target {
    switch targetTypeName.map({ GraphTypeName(annotation: $0).name }) {
    case "allLicensedUsersAssignmentTarget": .allUsers
    case "allDevicesAssignmentTarget": .allDevices
    case "exclusionGroupAssignmentTarget": .exclusion
    case "groupAssignmentTarget": included ?? .group
    case nil: included ?? .unknown
    default: .unknown
    }
  }

  /// The target of an assignment to a group; `nil` without one.
  private var included: Target? { groupID.map { Self.virtualGroups[$0.lowercased()] ?? .group } }

  /// The service's own groups, which some exports name as they name an organization's. No documentation has the identifiers: they
  /// are those on which public scripts for assignments agree.
  private static let virtualGroups: [String: Target] = [
    "acacacac-9df4-4c7d-9d50-4ef0226f57a9": .allUsers, "adadadad-808e-44e2-905a-0b7873a8a531": .allDevices,
  ]

  /// Whom an included target reaches.
  package enum Reach: Equatable, Sendable {
    case allUsers
    case allDevices
    case group(String)
    case unknown
  }

  /// Whom the target reaches, or keeps out.
  package var reach: Reach {
    switch target {
    case .allUsers: .allUsers
    case .allDevices: .allDevices
    case .group, .exclusion: groupID.map { .group($0) } ?? .unknown
    case .unknown: .unknown
    }
  }

  /// The group that the target reaches or keeps out; `nil` for another target.
  package var reachedGroup: String? { if case .group(let group) = reach { group } else { nil } }

  /// Whether the target receives what is assigned.
  package var isInclusion: Bool { target != .exclusion }

  /// Whether its description names a group or a filter of an organization.
  package var namesGroup: Bool { groupID != nil || namesFilter }

  private var namesFilter: Bool { filterID != nil && filterType != "none" }

  /// The targets without what names a group or a filter, such as `All users, 2 groups, 1 excluded`.
  package static func summary(of assignments: [PolicyAssignment]) -> String {
    func count(_ target: Target) -> Int { assignments.count { $0.target == target } }
    let (groups, exclusions, unknown) = (count(.group), count(.exclusion), count(.unknown))
    let filters = assignments.count(where: \.namesFilter)
    var parts = [Target.allUsers, .allDevices].filter { count($0) > 0 }.compactMap(\.name)
    if groups > 0 { parts.append(groups.counted("group")) }
    if exclusions > 0 {
      parts.append(groups > 0 ? "\(exclusions) excluded" : "\(exclusions.counted("group")) excluded")
    }
    if unknown > 0 { parts.append("\(unknown) of an unknown kind") }
    if filters > 0 { parts.append("\(filters) with a filter") }
    return parts.joined(separator: ", ")
  }

  /// The target in words, with its filter.
  package var words: String {
    let who =
      switch target {
      case .allUsers, .allDevices: target.name ?? PortalWords.unknown
      case .group, .unknown: groupID ?? PortalWords.unknown
      case .exclusion: "without \(groupID ?? PortalWords.unknown)"
      }
    guard namesFilter, let filterID else { return who }
    return "\(who), filter \(filterID)" + (filterType.map { " (\($0))" } ?? "")
  }
}
