import EventSourcing
import WireFormat

/// Choices where no published rule exists. Each has a default and a reason, is stored with the settings, and can be
/// switched; none is presented as a rule of the service.
public struct Assumptions: Equatable, Sendable {
  /// When a completed wipe asks for a restart. Reports show both wipes with and without one.
  ///
  /// Default ``RestartAfterWipe/engineWipes``: a service wipe is shown without a restart, one by a launch condition or a
  /// switch of accounts with one.
  public var restartAfterWipe = RestartAfterWipe.engineWipes

  /// How two accounts are recognised as being of one organization.
  ///
  /// Default ``OrganizationRule/domain``: an app knows names, not tenants.
  public var organizationRule = OrganizationRule.domain

  /// What becomes of an account that leaves while its tokens are gone, so that the service cannot be told.
  ///
  /// Default ``UnreachableUnenrollment/removeLocally``: the app has forgotten the account already; the record that
  /// lingers at the service is marked.
  public var unreachableUnenrollment = UnreachableUnenrollment.removeLocally

  /// The code that a second managed account is refused with when the user keeps the first one; which callback the SDK
  /// sends is not published.
  ///
  /// Default 227, whose text asks to remove one of the accounts.
  public var refusedAccountCode = EnrollmentStatusCode.singleManagedAccountMode

  /// Whether leave to save copies covers locations that are not the owner's own (save-to, row 6).
  ///
  /// Default yes: the setting enables "Save as" in general. Only saving to the same account is described.
  public var saveAllowCoversForeignLocations = true

  /// Whether an allowed storage location counts only as the owner's own (save-to, row 8).
  ///
  /// Default yes: the exception is described for the same managed account.
  public var listedLocationNeedsOwnerAccount = true

  /// Whether allowed local storage counts only when the owner is named with it (save-to, row 11).
  ///
  /// Default yes: from SDK 15.1.0 on, local storage without an account is unmanaged. Before, it was the current account's,
  /// and this choice does not matter.
  public var listedLocalDriveNeedsOwnerAccount = true

  /// Whether a document of the owner's account may be saved although saving is blocked (save-to, row 12).
  ///
  /// Default yes: the data stays in the account of the organization. No policy can list the location.
  public var accountDocumentStaysInAccount = true

  /// Whether leave to open data covers sources that are not the receiver's own (open-from, row 6).
  ///
  /// Default yes: a maintainer of the SDK says so of local storage, in an answer that is only partly preserved.
  public var openAllowCoversForeignLocations = true

  /// For what the first policy asks for a restart (T5).
  ///
  /// Default ``FirstPolicyScope/process``: a restart is described as needed on the first policy for the process.
  public var firstPolicyScope = FirstPolicyScope.process

  /// Creates the defaults.
  public init() {}

  static let descriptor = MessageDescriptor(
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
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: restartAfterWipe)
    writer.write(2, enumeration: organizationRule)
    writer.write(3, enumeration: unreachableUnenrollment)
    if refusedAccountCode != .singleManagedAccountMode {
      writer.writePresent(4, unsigned: UInt64(refusedAccountCode.rawValue))
    }
    writer.write(5, optional: Self.unlessDefault(saveAllowCoversForeignLocations))
    writer.write(6, optional: Self.unlessDefault(listedLocationNeedsOwnerAccount))
    writer.write(7, optional: Self.unlessDefault(listedLocalDriveNeedsOwnerAccount))
    writer.write(8, optional: Self.unlessDefault(accountDocumentStaysInAccount))
    writer.write(9, optional: Self.unlessDefault(openAllowCoversForeignLocations))
    writer.write(10, enumeration: firstPolicyScope)
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
    ])
  }
}
