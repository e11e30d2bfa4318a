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
}
