import EventSourcing
import WireFormat

/// The settings of an app that steer the machine: those of its property list, and the choices this engine offers.
public struct AppSettings: Equatable, Sendable {
  /// Whether the app uses accounts beside the managed one (`MultiIdentity`).
  public var multiIdentity = false
  /// Whether the engine enrolls at launch without being asked (`AutoEnrollOnLaunch`).
  public var autoEnrollOnLaunch = false
  /// Whether the app stays blocked until it has a policy (`MAMPolicyRequired`).
  public var policyRequired = false
  /// Whether the user is warned once at launch when there is no policy (`MAMPolicyWarnAbsent`).
  public var warnsWhenPolicyAbsent = false
  /// How many accounts may be managed at a time, from 1 (the default). A lower number counts for whoever comes to be
  /// managed from then on; nobody who is managed already leaves because of it.
  public var maximumManagedAccounts: UInt32 = 1
  /// Whether the host applies an account's first policy without a restart, as .NET MAUI does.
  public var firstPolicyNeedsNoRestart = false
  /// Which published table of intervals applies.
  public var retryProfile = RetryProfile.serviceTable
  /// Choices where no published rule exists.
  public var assumptions = Assumptions()

  /// Creates the defaults: a single-identity app that enrolls when told to.
  public init() {}

  static let descriptor = MessageDescriptor(
    "AppSettings",
    [
      FieldDescriptor(1, "multiIdentity", .bool, .single, "whether the app uses accounts beside the managed one"),
      FieldDescriptor(
        2, "autoEnrollOnLaunch", .bool, .single, "whether the engine enrolls at launch without being asked"),
      FieldDescriptor(3, "policyRequired", .bool, .single, "whether the app stays blocked until it has a policy"),
      FieldDescriptor(
        4, "warnsWhenPolicyAbsent", .bool, .single, "whether the user is warned once when there is no policy"),
      FieldDescriptor(
        5, "maximumManagedAccounts", .unsigned, .optional, "how many accounts may be managed at a time; absent: 1"),
      FieldDescriptor(
        6, "firstPolicyNeedsNoRestart", .bool, .single, "whether an account's first policy applies without a restart"),
      FieldDescriptor(
        7, "retryProfile", .enumeration(RetryProfile.descriptor), .single, "which published table of intervals applies"),
      FieldDescriptor(
        8, "assumptions", .message(Assumptions.descriptor), .optional, "choices where no published rule exists"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, bool: multiIdentity)
    writer.write(2, bool: autoEnrollOnLaunch)
    writer.write(3, bool: policyRequired)
    writer.write(4, bool: warnsWhenPolicyAbsent)
    if maximumManagedAccounts != 1 { writer.writePresent(5, unsigned: UInt64(maximumManagedAccounts)) }
    writer.write(6, bool: firstPolicyNeedsNoRestart)
    writer.write(7, enumeration: retryProfile)
    if assumptions != Assumptions() { writer.write(8) { assumptions.encode(into: &$0) } }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: multiIdentity = try reader.bool(field)
      case 2: autoEnrollOnLaunch = try reader.bool(field)
      case 3: policyRequired = try reader.bool(field)
      case 4: warnsWhenPolicyAbsent = try reader.bool(field)
      case 5: maximumManagedAccounts = try reader.unsigned(field, as: UInt32.self)
      case 6: firstPolicyNeedsNoRestart = try reader.bool(field)
      case 7: retryProfile = try reader.enumeration(field, as: RetryProfile.self)
      case 8:
        assumptions = try reader.message(field) { (inner) throws(WireError) in try Assumptions(from: &inner) }
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("multiIdentity", .bool(multiIdentity)),
      .init("autoEnrollOnLaunch", .bool(autoEnrollOnLaunch)),
      .init("policyRequired", .bool(policyRequired)),
      .init("warnsWhenPolicyAbsent", .bool(warnsWhenPolicyAbsent)),
      .init("maximumManagedAccounts", .integer(Int64(maximumManagedAccounts))),
      .init("firstPolicyNeedsNoRestart", .bool(firstPolicyNeedsNoRestart)),
      .init("retryProfile", .name(retryProfile.name)),
      .init("assumptions", assumptions.tree()),
    ])
  }
}
