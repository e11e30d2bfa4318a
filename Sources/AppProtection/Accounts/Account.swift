import EventSourcing
import WireFormat

/// An account: who it is, and how far it is on its way into and out of management.
public struct Account: AccountRecord {
  /// The number by which the journal refers to it.
  public let account: AccountNumber
  /// The Entra object id, once it is known.
  public internal(set) var objectID: GUID?
  /// The user principal name as last given, once it is known.
  public internal(set) var userPrincipalName: String?
  /// How far it is enrolled.
  public internal(set) var enrollment = Enrollment()
  /// Whether the app removed its tokens.
  public internal(set) var tokensRemoved = false
  /// Whether the service could not be told that it left, and still counts it as enrolled.
  public internal(set) var lingersAtService = false
  /// The code because of which the app must remove the account; `nil` when it need not.
  public internal(set) var removalCode: EnrollmentStatusCode?
  /// Whether it has had a policy since its last wipe, so that data of the organization may be on the device.
  public internal(set) var mayHaveOrganizationData = false
  /// Whether the app said that it is signed in.
  public internal(set) var isSignedIn = false
  /// Whether the app said that it uses the account, which is signed in, for work or school.
  public internal(set) var isForWorkOrSchool = false
  /// Whether it must be the only managed account.
  public internal(set) var isExclusive = false
  /// The event that asked the app to add it, while there is no answer.
  public internal(set) var additionQuestion: UInt64 = 0

  /// Creates an account that was only mentioned.
  init(_ account: AccountNumber, objectID: GUID?, userPrincipalName: String?) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
  }

  /// The domain of the user principal name in lower case; `nil` while no name is known.
  public var organizationDomain: String? {
    userPrincipalName?.split(separator: "@").last.map { $0.lowercased() }
  }

  /// Writes the record in its canonical form: equal records give equal bytes.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, account: account)
    writer.write(2, guid: objectID)
    writer.write(3, optional: userPrincipalName)
    writer.write(4) { enrollment.encode(into: &$0) }
    writer.write(5, bool: tokensRemoved)
    writer.write(6, bool: lingersAtService)
    if let removalCode { writer.writePresent(7, unsigned: UInt64(removalCode.rawValue)) }
    writer.write(8, bool: mayHaveOrganizationData)
    writer.write(9, bool: isSignedIn)
    writer.write(10, bool: isExclusive)
    writer.write(11, unsigned: additionQuestion)
    writer.write(12, bool: isForWorkOrSchool)
  }

  /// Reads what `encode(into:)` wrote; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var account: AccountNumber?
    var read = Account(.first, objectID: nil, userPrincipalName: nil)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: account = try reader.account(field)
      case 2: read.objectID = try reader.guid(field)
      case 3: read.userPrincipalName = try reader.string(field)
      case 4:
        read.enrollment = try reader.message(field) { (inner) throws(WireError) in try Enrollment(from: &inner) }
      case 5: read.tokensRemoved = try reader.bool(field)
      case 6: read.lingersAtService = try reader.bool(field)
      case 7: read.removalCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 8: read.mayHaveOrganizationData = try reader.bool(field)
      case 9: read.isSignedIn = try reader.bool(field)
      case 10: read.isExclusive = try reader.bool(field)
      case 11: read.additionQuestion = try reader.unsigned(field)
      case 12: read.isForWorkOrSchool = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
    self.init(
      try reader.require(account, field: 1), objectID: read.objectID, userPrincipalName: read.userPrincipalName)
    enrollment = read.enrollment
    tokensRemoved = read.tokensRemoved
    lingersAtService = read.lingersAtService
    removalCode = read.removalCode
    mayHaveOrganizationData = read.mayHaveOrganizationData
    isSignedIn = read.isSignedIn
    isExclusive = read.isExclusive
    additionQuestion = read.additionQuestion
    isForWorkOrSchool = read.isForWorkOrSchool
  }

  /// The record for people.
  public func tree() -> StateTree {
    .members([
      .init("objectID", objectID.map { .personal($0.description, .account) } ?? .unset),
      .init("userPrincipalName", userPrincipalName.map { .personal($0, .account) } ?? .unset),
      .init("enrollment", enrollment.tree()),
      .init("tokensRemoved", .bool(tokensRemoved)),
      .init("lingersAtService", .bool(lingersAtService)),
      .init("removalCode", removalCode.map { .integer(Int64($0.rawValue)) } ?? .unset),
      .init("mayHaveOrganizationData", .bool(mayHaveOrganizationData)),
      .init("isSignedIn", .bool(isSignedIn)),
      .init("isExclusive", .bool(isExclusive)),
      .init("additionQuestion", .pending(additionQuestion)),
      .init("isForWorkOrSchool", .bool(isForWorkOrSchool)),
    ])
  }
}
