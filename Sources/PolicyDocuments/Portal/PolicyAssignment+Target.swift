import AppProtection

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
  }

  /// The kind of target.
  var target: Target {
    switch targetTypeName.map({ GraphTypeName(annotation: $0).name }) {
    case "allLicensedUsersAssignmentTarget": .allUsers
    case "allDevicesAssignmentTarget": .allDevices
    case "exclusionGroupAssignmentTarget": .exclusion
    case "groupAssignmentTarget": .group
    case nil: groupID == nil ? .unknown : .group
    default: .unknown
    }
  }

  /// Whether the target receives what is assigned.
  var isInclusion: Bool { target != .exclusion }

  /// Whether its description names a group or a filter of an organization.
  var namesGroup: Bool { groupID != nil || namesFilter }

  private var namesFilter: Bool { filterID != nil && filterType != "none" }

  /// The target in words, with its filter.
  var words: String {
    let who =
      switch target {
      case .allUsers: "All users"
      case .allDevices: "All devices"
      case .group, .unknown: groupID ?? PortalWords.unknown
      case .exclusion: "without \(groupID ?? PortalWords.unknown)"
      }
    guard namesFilter, let filterID else { return who }
    return "\(who), filter \(filterID)" + (filterType.map { " (\($0))" } ?? "")
  }
}
