import EventSourcing
import WireFormat

extension Assumptions {
  /// The choices with their numbers, names and types.
  public static let descriptor = MessageDescriptor(
    "Assumptions",
    ([
      FieldDescriptor(
        1, "restartAfterWipe", .enumeration(RestartAfterWipe.descriptor), .single,
        "when a completed wipe asks for a restart"),
      FieldDescriptor(
        2, "organizationRule", .enumeration(OrganizationRule.descriptor), .single,
        "how two accounts are recognised as being of one organization"),
      FieldDescriptor(
        3, "unreachableUnenrollment", .enumeration(UnreachableUnenrollment.descriptor), .single,
        "what becomes of an account that leaves without tokens"),
      FieldDescriptor(
        4, "refusedAccountCode", .enumeration(EnrollmentStatusCode.descriptor), .single,
        "the code for a refused second managed account; absent: 227"),
      FieldDescriptor(
        10, "firstPolicyScope", .enumeration(FirstPolicyScope.descriptor), .single,
        "for what the first policy asks for a restart"),
      FieldDescriptor(
        11, "reenrollmentRefusal", .enumeration(ReenrollmentRefusal.descriptor), .single,
        "which attempt to enroll again after a lost record ends in a refusal"),
      FieldDescriptor(
        12, "backoffSequence", .enumeration(BackoffSequence.descriptor), .single,
        "how the pauses after failures of the network rise"),
      FieldDescriptor(
        13, "unlistedAccountCode", .enumeration(EnrollmentStatusCode.descriptor), .single,
        "the code for an account that device management does not allow; absent: 209"),
      FieldDescriptor(
        14, "unknownCodeRule", .enumeration(UnknownCodeRule.descriptor), .single,
        "whether a request that ended in an unknown code is repeated"),
      FieldDescriptor(
        15, "serviceCodeCallback", .enumeration(ServiceCodeCallback.descriptor), .single,
        "which callback tells of 220 and 226 after a check-in"),
      FieldDescriptor(
        16, "namesakeRule", .enumeration(NamesakeRule.descriptor), .single,
        "what becomes of an account with the name of a managed one and another object id"),
      FieldDescriptor(
        17, "unpublishedWipeReason", .enumeration(UnpublishedWipeReason.descriptor), .single,
        "which number a wipe notice carries whose cause has no published one"),
      FieldDescriptor(
        20, "remediationWithoutToken", .enumeration(ComplianceStatus.descriptor), .single,
        "how a remediation ends for which there is no token; absent: interactionRequired"),
      FieldDescriptor(
        21, "remediationOfUnknownOutcome", .enumeration(ComplianceStatus.descriptor), .single,
        "how a remediation ends of whose outcome nothing is known; absent: serviceFailure"),
      FieldDescriptor(
        23, "detachedTasksInheritIdentity", .bool, .single,
        "whether a detached task inherits it"),
      FieldDescriptor(
        27, "policySourceRule", .enumeration(PolicySourceRule.descriptor), .single,
        "how the policy source follows the account of the device"),
      FieldDescriptor(
        28, "launchOrder", .enumeration(LaunchOrder.descriptor), .single,
        "in which order findings of one severity count"),
      FieldDescriptor(29, "wipeVersionInclusive", .bool, .single, "whether a version that equals the minimum wipes"),
    ] + choices.map(\.field)).sorted { $0.number < $1.number })

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: restartAfterWipe)
    writer.write(2, enumeration: organizationRule)
    writer.write(3, enumeration: unreachableUnenrollment)
    writer.write(4, refusedAccountCode, unless: .singleManagedAccountMode)
    write(5...9, into: &writer)
    writer.write(10, enumeration: firstPolicyScope)
    writer.write(11, enumeration: reenrollmentRefusal)
    writer.write(12, enumeration: backoffSequence)
    writer.write(13, unlistedAccountCode, unless: .notEmmAccount)
    writer.write(14, enumeration: unknownCodeRule)
    writer.write(15, enumeration: serviceCodeCallback)
    writer.write(16, enumeration: namesakeRule)
    writer.write(17, enumeration: unpublishedWipeReason)
    write(18...19, into: &writer)
    writer.write(20, remediationWithoutToken, unless: .interactionRequired)
    writer.write(21, remediationOfUnknownOutcome, unless: .serviceFailure)
    write(22...22, into: &writer)
    writer.write(23, bool: detachedTasksInheritIdentity)
    write(24...26, into: &writer)
    writer.write(27, enumeration: policySourceRule)
    writer.write(28, enumeration: launchOrder)
    writer.write(29, bool: wipeVersionInclusive)
    write(30...60, into: &writer)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: restartAfterWipe = try reader.enumeration(field, as: RestartAfterWipe.self)
      case 2: organizationRule = try reader.enumeration(field, as: OrganizationRule.self)
      case 3: unreachableUnenrollment = try reader.enumeration(field, as: UnreachableUnenrollment.self)
      case 4: refusedAccountCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 10: firstPolicyScope = try reader.enumeration(field, as: FirstPolicyScope.self)
      case 11: reenrollmentRefusal = try reader.enumeration(field, as: ReenrollmentRefusal.self)
      case 12: backoffSequence = try reader.enumeration(field, as: BackoffSequence.self)
      case 13: unlistedAccountCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 14: unknownCodeRule = try reader.enumeration(field, as: UnknownCodeRule.self)
      case 15: serviceCodeCallback = try reader.enumeration(field, as: ServiceCodeCallback.self)
      case 16: namesakeRule = try reader.enumeration(field, as: NamesakeRule.self)
      case 17: unpublishedWipeReason = try reader.enumeration(field, as: UnpublishedWipeReason.self)
      case 20: remediationWithoutToken = try reader.enumeration(field, as: ComplianceStatus.self)
      case 21: remediationOfUnknownOutcome = try reader.enumeration(field, as: ComplianceStatus.self)
      case 23: detachedTasksInheritIdentity = try reader.bool(field)
      case 27: policySourceRule = try reader.enumeration(field, as: PolicySourceRule.self)
      case 28: launchOrder = try reader.enumeration(field, as: LaunchOrder.self)
      case 29: wipeVersionInclusive = try reader.bool(field)
      default:
        if let choice = Self.choices.first(where: { $0.number == field.number }) {
          self[keyPath: choice.path] = try reader.bool(field)
        } else {
          try reader.skip(field)
        }
      }
    }
  }

  func tree() -> StateTree {
    var members: [StateTree.Member] = [
      .init("restartAfterWipe", .name(restartAfterWipe.name)),
      .init("organizationRule", .name(organizationRule.name)),
      .init("unreachableUnenrollment", .name(unreachableUnenrollment.name)),
      .init("refusedAccountCode", .integer(Int64(refusedAccountCode.rawValue))),
    ]
    members += treeMembers(5...9)
    members += [
      .init("firstPolicyScope", .name(firstPolicyScope.name)),
      .init("reenrollmentRefusal", .name(reenrollmentRefusal.name)),
      .init("backoffSequence", .name(backoffSequence.name)),
      .init("unlistedAccountCode", .integer(Int64(unlistedAccountCode.rawValue))),
      .init("unknownCodeRule", .name(unknownCodeRule.name)),
      .init("serviceCodeCallback", .name(serviceCodeCallback.name)),
      .init("namesakeRule", .name(namesakeRule.name)),
      .init("unpublishedWipeReason", .name(unpublishedWipeReason.name)),
    ]
    members += treeMembers(18...19)
    members += [
      .init("remediationWithoutToken", .name(remediationWithoutToken.name)),
      .init("remediationOfUnknownOutcome", .name(remediationOfUnknownOutcome.name)),
    ]
    members += treeMembers(22...22)
    members += [
      .init("detachedTasksInheritIdentity", .bool(detachedTasksInheritIdentity))
    ]
    members += treeMembers(24...26)
    members += [
      .init("policySourceRule", .name(policySourceRule.name)),
      .init("launchOrder", .name(launchOrder.name)),
      .init("wipeVersionInclusive", .bool(wipeVersionInclusive)),
    ]
    return .members(members + treeMembers(30...60))
  }
}

extension WireWriter {
  /// Writes a status code; the default is left out.
  fileprivate mutating func write(
    _ field: Int, _ code: EnrollmentStatusCode, unless standard: EnrollmentStatusCode
  ) {
    if code != standard { writePresent(field, unsigned: UInt64(code.rawValue)) }
  }

  /// Writes how a remediation ends; the default is left out, and the member 0 is not.
  fileprivate mutating func write(_ field: Int, _ status: ComplianceStatus, unless standard: ComplianceStatus) {
    if status != standard { writePresent(field, unsigned: UInt64(status.rawValue)) }
  }
}
