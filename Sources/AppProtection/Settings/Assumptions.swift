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
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: restartAfterWipe)
    writer.write(2, enumeration: organizationRule)
    writer.write(3, enumeration: unreachableUnenrollment)
    if refusedAccountCode != .singleManagedAccountMode {
      writer.writePresent(4, unsigned: UInt64(refusedAccountCode.rawValue))
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: restartAfterWipe = try reader.enumeration(field, as: RestartAfterWipe.self)
      case 2: organizationRule = try reader.enumeration(field, as: OrganizationRule.self)
      case 3: unreachableUnenrollment = try reader.enumeration(field, as: UnreachableUnenrollment.self)
      case 4: refusedAccountCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
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
    ])
  }
}
