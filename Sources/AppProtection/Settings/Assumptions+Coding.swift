import EventSourcing
import WireFormat

extension Assumptions {
  /// The choices with their numbers, names and types.
  public static let descriptor = MessageDescriptor(
    "Assumptions",
    [
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
        5, "saveAllowCoversForeignLocations", .bool, .optional,
        "whether leave to save copies covers locations that are not the owner's own; absent: yes"),
      FieldDescriptor(
        6, "listedLocationNeedsOwnerAccount", .bool, .optional,
        "whether an allowed storage location counts only as the owner's own; absent: yes"),
      FieldDescriptor(
        7, "listedLocalDriveNeedsOwnerAccount", .bool, .optional,
        "whether allowed local storage counts only when the owner is named with it; absent: yes"),
      FieldDescriptor(
        8, "accountDocumentStaysInAccount", .bool, .optional,
        "whether a document of the owner's account may be saved although saving is blocked; absent: yes"),
      FieldDescriptor(
        9, "openAllowCoversForeignLocations", .bool, .optional,
        "whether leave to open data covers sources that are not the receiver's own; absent: yes"),
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
        18, "queuedRemediationIsInProgress", .bool, .optional,
        "whether a remediation that waits counts as being in progress; absent: yes"),
      FieldDescriptor(
        19, "queuedRemediationSurvivesRestart", .bool, .optional,
        "whether remediations that wait survive a restart; absent: yes"),
      FieldDescriptor(
        20, "remediationWithoutToken", .enumeration(ComplianceStatus.descriptor), .single,
        "how a remediation ends for which there is no token; absent: interactionRequired"),
      FieldDescriptor(
        21, "remediationOfUnknownOutcome", .enumeration(ComplianceStatus.descriptor), .single,
        "how a remediation ends of whose outcome nothing is known; absent: serviceFailure"),
      FieldDescriptor(
        22, "childTasksInheritIdentity", .bool, .optional,
        "whether a child task inherits the identity of its scope; absent: yes"),
      FieldDescriptor(
        23, "detachedTasksInheritIdentity", .bool, .single,
        "whether a detached task inherits it"),
      FieldDescriptor(
        24, "copiedFilesKeepOwner", .bool, .optional,
        "whether a file that is copied or moved keeps its owner; absent: yes"),
      FieldDescriptor(
        25, "protectionConflictRefuses", .bool, .optional,
        "whether verifying and protecting refuses another owner's file; absent: yes"),
      FieldDescriptor(
        26, "configurationTextConverts", .bool, .optional,
        "whether configured text counts as yes or no, or as a number; absent: yes"),
      FieldDescriptor(
        27, "policySourceRule", .enumeration(PolicySourceRule.descriptor), .single,
        "how the policy source follows the account of the device"),
      FieldDescriptor(
        28, "launchOrder", .enumeration(LaunchOrder.descriptor), .single,
        "in which order findings of one severity count"),
      FieldDescriptor(29, "wipeVersionInclusive", .bool, .single, "whether a version that equals the minimum wipes"),
      FieldDescriptor(
        30, "unreportedFactsPass", .bool, .optional,
        "whether a device fact that nobody reported meets its launch condition; absent: yes"),
      FieldDescriptor(
        31, "uncertainClockStatusCountsAsOut", .bool, .optional,
        "whether a clock status that is unknown or stale counts as not at work; absent: yes"),
      FieldDescriptor(
        32, "encryptionNeedsDevicePasscode", .bool, .optional,
        "whether encryption blocks a device without a passcode; absent: yes"),
      FieldDescriptor(
        33, "policyChangeNeedsNewPIN", .bool, .optional,
        "whether a PIN that a later policy would refuse must be replaced; absent: yes"),
      FieldDescriptor(
        34, "recheckRunsFromLastOpening", .bool, .optional,
        "whether the recheck period begins anew whenever the app is opened; absent: yes"),
      FieldDescriptor(
        35, "failedCheckInEndsOfflineStay", .bool, .optional,
        "whether a check-in that fails counts as a refused one when an offline wipe is due; absent: yes"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: restartAfterWipe)
    writer.write(2, enumeration: organizationRule)
    writer.write(3, enumeration: unreachableUnenrollment)
    writer.write(4, refusedAccountCode, unless: .singleManagedAccountMode)
    writer.write(5, optional: Self.unlessDefault(saveAllowCoversForeignLocations))
    writer.write(6, optional: Self.unlessDefault(listedLocationNeedsOwnerAccount))
    writer.write(7, optional: Self.unlessDefault(listedLocalDriveNeedsOwnerAccount))
    writer.write(8, optional: Self.unlessDefault(accountDocumentStaysInAccount))
    writer.write(9, optional: Self.unlessDefault(openAllowCoversForeignLocations))
    writer.write(10, enumeration: firstPolicyScope)
    writer.write(11, enumeration: reenrollmentRefusal)
    writer.write(12, enumeration: backoffSequence)
    writer.write(13, unlistedAccountCode, unless: .notEmmAccount)
    writer.write(14, enumeration: unknownCodeRule)
    writer.write(15, enumeration: serviceCodeCallback)
    writer.write(16, enumeration: namesakeRule)
    writer.write(17, enumeration: unpublishedWipeReason)
    writer.write(18, optional: Self.unlessDefault(queuedRemediationIsInProgress))
    writer.write(19, optional: Self.unlessDefault(queuedRemediationSurvivesRestart))
    writer.write(20, remediationWithoutToken, unless: .interactionRequired)
    writer.write(21, remediationOfUnknownOutcome, unless: .serviceFailure)
    writer.write(22, optional: Self.unlessDefault(childTasksInheritIdentity))
    writer.write(23, bool: detachedTasksInheritIdentity)
    writer.write(24, optional: Self.unlessDefault(copiedFilesKeepOwner))
    writer.write(25, optional: Self.unlessDefault(protectionConflictRefuses))
    writer.write(26, optional: Self.unlessDefault(configurationTextConverts))
    writer.write(27, enumeration: policySourceRule)
    writer.write(28, enumeration: launchOrder)
    writer.write(29, bool: wipeVersionInclusive)
    writer.write(30, optional: Self.unlessDefault(unreportedFactsPass))
    writer.write(31, optional: Self.unlessDefault(uncertainClockStatusCountsAsOut))
    writer.write(32, optional: Self.unlessDefault(encryptionNeedsDevicePasscode))
    writer.write(33, optional: Self.unlessDefault(policyChangeNeedsNewPIN))
    writer.write(34, optional: Self.unlessDefault(recheckRunsFromLastOpening))
    writer.write(35, optional: Self.unlessDefault(failedCheckInEndsOfflineStay))
  }

  /// What is written of a choice whose default is yes: nothing, so that the defaults stay the empty message.
  private static func unlessDefault(_ choice: Bool) -> Bool? {
    choice ? nil : false
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: restartAfterWipe = try reader.enumeration(field, as: RestartAfterWipe.self)
      case 2: organizationRule = try reader.enumeration(field, as: OrganizationRule.self)
      case 3: unreachableUnenrollment = try reader.enumeration(field, as: UnreachableUnenrollment.self)
      case 4: refusedAccountCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 5: saveAllowCoversForeignLocations = try reader.bool(field)
      case 6: listedLocationNeedsOwnerAccount = try reader.bool(field)
      case 7: listedLocalDriveNeedsOwnerAccount = try reader.bool(field)
      case 8: accountDocumentStaysInAccount = try reader.bool(field)
      case 9: openAllowCoversForeignLocations = try reader.bool(field)
      case 10: firstPolicyScope = try reader.enumeration(field, as: FirstPolicyScope.self)
      case 11: reenrollmentRefusal = try reader.enumeration(field, as: ReenrollmentRefusal.self)
      case 12: backoffSequence = try reader.enumeration(field, as: BackoffSequence.self)
      case 13: unlistedAccountCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 14: unknownCodeRule = try reader.enumeration(field, as: UnknownCodeRule.self)
      case 15: serviceCodeCallback = try reader.enumeration(field, as: ServiceCodeCallback.self)
      case 16: namesakeRule = try reader.enumeration(field, as: NamesakeRule.self)
      case 17: unpublishedWipeReason = try reader.enumeration(field, as: UnpublishedWipeReason.self)
      case 18: queuedRemediationIsInProgress = try reader.bool(field)
      case 19: queuedRemediationSurvivesRestart = try reader.bool(field)
      case 20: remediationWithoutToken = try reader.enumeration(field, as: ComplianceStatus.self)
      case 21: remediationOfUnknownOutcome = try reader.enumeration(field, as: ComplianceStatus.self)
      case 22: childTasksInheritIdentity = try reader.bool(field)
      case 23: detachedTasksInheritIdentity = try reader.bool(field)
      case 24: copiedFilesKeepOwner = try reader.bool(field)
      case 25: protectionConflictRefuses = try reader.bool(field)
      case 26: configurationTextConverts = try reader.bool(field)
      case 27: policySourceRule = try reader.enumeration(field, as: PolicySourceRule.self)
      case 28: launchOrder = try reader.enumeration(field, as: LaunchOrder.self)
      case 29: wipeVersionInclusive = try reader.bool(field)
      case 30: unreportedFactsPass = try reader.bool(field)
      case 31: uncertainClockStatusCountsAsOut = try reader.bool(field)
      case 32: encryptionNeedsDevicePasscode = try reader.bool(field)
      case 33: policyChangeNeedsNewPIN = try reader.bool(field)
      case 34: recheckRunsFromLastOpening = try reader.bool(field)
      case 35: failedCheckInEndsOfflineStay = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("restartAfterWipe", .name(restartAfterWipe.name)),
      .init("organizationRule", .name(organizationRule.name)),
      .init("unreachableUnenrollment", .name(unreachableUnenrollment.name)),
      .init("refusedAccountCode", .integer(Int64(refusedAccountCode.rawValue))),
      .init("saveAllowCoversForeignLocations", .bool(saveAllowCoversForeignLocations)),
      .init("listedLocationNeedsOwnerAccount", .bool(listedLocationNeedsOwnerAccount)),
      .init("listedLocalDriveNeedsOwnerAccount", .bool(listedLocalDriveNeedsOwnerAccount)),
      .init("accountDocumentStaysInAccount", .bool(accountDocumentStaysInAccount)),
      .init("openAllowCoversForeignLocations", .bool(openAllowCoversForeignLocations)),
      .init("firstPolicyScope", .name(firstPolicyScope.name)),
      .init("reenrollmentRefusal", .name(reenrollmentRefusal.name)),
      .init("backoffSequence", .name(backoffSequence.name)),
      .init("unlistedAccountCode", .integer(Int64(unlistedAccountCode.rawValue))),
      .init("unknownCodeRule", .name(unknownCodeRule.name)),
      .init("serviceCodeCallback", .name(serviceCodeCallback.name)),
      .init("namesakeRule", .name(namesakeRule.name)),
      .init("unpublishedWipeReason", .name(unpublishedWipeReason.name)),
      .init("queuedRemediationIsInProgress", .bool(queuedRemediationIsInProgress)),
      .init("queuedRemediationSurvivesRestart", .bool(queuedRemediationSurvivesRestart)),
      .init("remediationWithoutToken", .name(remediationWithoutToken.name)),
      .init("remediationOfUnknownOutcome", .name(remediationOfUnknownOutcome.name)),
      .init("childTasksInheritIdentity", .bool(childTasksInheritIdentity)),
      .init("detachedTasksInheritIdentity", .bool(detachedTasksInheritIdentity)),
      .init("copiedFilesKeepOwner", .bool(copiedFilesKeepOwner)),
      .init("protectionConflictRefuses", .bool(protectionConflictRefuses)),
      .init("configurationTextConverts", .bool(configurationTextConverts)),
      .init("policySourceRule", .name(policySourceRule.name)),
      .init("launchOrder", .name(launchOrder.name)),
      .init("wipeVersionInclusive", .bool(wipeVersionInclusive)),
      .init("unreportedFactsPass", .bool(unreportedFactsPass)),
      .init("uncertainClockStatusCountsAsOut", .bool(uncertainClockStatusCountsAsOut)),
      .init("encryptionNeedsDevicePasscode", .bool(encryptionNeedsDevicePasscode)),
      .init("policyChangeNeedsNewPIN", .bool(policyChangeNeedsNewPIN)),
      .init("recheckRunsFromLastOpening", .bool(recheckRunsFromLastOpening)),
      .init("failedCheckInEndsOfflineStay", .bool(failedCheckInEndsOfflineStay)),
    ])
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
