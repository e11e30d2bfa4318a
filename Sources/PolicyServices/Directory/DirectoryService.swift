import AppProtection
import AppProtectionKit

/// A management service that an administrator runs with an editor: a folder of Graph documents, users, assignments,
/// wipe requests and fault switches.
///
/// ```swift
/// let service = DirectoryService(at: "/srv/protection", bundleID: "com.contoso.notes")
/// ```
///
/// Every request reads the folder again, and the service keeps nothing between requests, so that an edit counts from
/// the next request on and equal folders give equal answers. A folder with a mistake answers no request: each fails with
/// 206 and the first mistake, and a missing folder with 204. Nothing in an unreadable folder is ever taken for "no
/// policy". <doc:ServiceFolders> describes every file.
public struct DirectoryService: PolicyService {
  /// The folder.
  public let path: String
  /// The app for which policies and configurations are selected; `nil` for all that target the user.
  public let bundleID: String?
  private let pause: ServicePause

  /// How often a folder is read before a mistake counts: an editor may be saving.
  static let attempts = 3
  /// The pause between two attempts.
  static let pauseNanoseconds: Int64 = 50_000_000

  /// A service that answers from a folder, which need not exist yet.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - bundleID: The app's bundle identifier. Documents that list other apps do not apply.
  ///   - pause: How the service waits while an editor saves, and for the fault `slow`.
  public init(at path: String, bundleID: String? = nil, pause: ServicePause = .real) {
    self.path = path
    self.bundleID = bundleID
    self.pause = pause
  }

  /// Enrolls every user of the folder who has a license.
  public func enroll(_ request: ServiceRequest) async -> ServiceAnswer { await answer(request, .enroll) }

  /// Answers with what targets the user now, compared with what the account has.
  public func checkIn(_ request: ServiceRequest) async -> ServiceAnswer { await answer(request, .checkIn) }

  /// Needs no record: only a fault makes it fail.
  public func unenroll(_ request: ServiceRequest) async -> ServiceFailure? {
    do throws(ServiceTrouble) {
      let folder = try await folder()
      try await apply(folder.faults, to: Self.reference(request), .unenroll)
      return nil
    } catch {
      // The record that is to go is gone.
      return error == .gone ? nil : error.failure(of: .unenroll)
    }
  }

  /// Compliant if a policy targets the user; without one, an app cannot be protected (S-86).
  public func remediate(_ request: ServiceRequest, isSilent: Bool) async -> RemediationOutcome {
    do throws(ServiceTrouble) {
      let (folder, user) = try await find(request, .remediate)
      try Self.requireLicense(user)
      guard !folder.documents(for: user).limited(to: bundleID).policies.isEmpty else {
        return .withoutPolicy
      }
      return RemediationOutcome(.compliant)
    } catch {
      return error.outcome(isSilent: isSilent, by: request.assumptions)
    }
  }

  /// The app configurations that target the user, and the user's status. Nothing while the folder cannot answer.
  public func deliveries(_ request: ServiceRequest) async -> ServiceDeliveries {
    guard let (folder, user) = try? await find(request, .checkIn), user.isLicensed else { return ServiceDeliveries() }
    let documents = folder.documents(for: user).limited(to: bundleID)
    return ServiceDeliveries(
      configuration: documents.entries,
      user: ServiceUserStatus(clockStatus: user.clockStatus, isDisabled: !user.isEnabled), reference: user.reference)
  }

  private func answer(_ request: ServiceRequest, _ operation: ServiceOperation) async -> ServiceAnswer {
    do throws(ServiceTrouble) {
      let (folder, user) = try await find(request, operation)
      // Before the license: who leaves an organization loses both, and the data must go.
      if folder.wipes.contains(where: { $0.isSame(as: user.reference) }) { return .wipe() }
      try Self.requireLicense(user)
      return folder.documents(for: user).limited(to: bundleID).answer(to: request, operation)
    } catch {
      return error.answer(to: operation)
    }
  }

  /// The user of a request, once no fault is in the way.
  private func find(
    _ request: ServiceRequest, _ operation: ServiceOperation
  ) async throws(ServiceTrouble) -> (folder: ServiceFolder, user: ServiceUser) {
    let folder = try await folder()
    let reference = Self.reference(request)
    try await apply(folder.faults, to: folder.user(reference)?.reference ?? reference, operation)
    guard let user = folder.user(reference) else {
      // Deleted from the directory, or never in it: 207 is also the code for a name without an object id (I#412).
      throw operation == .checkIn ? .gone : .refused(.nilAccount, "users.json does not list the account")
    }
    return (folder, user)
  }

  private static func requireLicense(_ user: ServiceUser) throws(ServiceTrouble) {
    guard user.isLicensed else { throw .refused(.accountNotLicensed, "the user has no license") }
  }

  private func apply(
    _ faults: [ServiceFault], to user: AccountReference, _ operation: ServiceOperation
  ) async throws(ServiceTrouble) {
    for fault in faults where fault.times == nil && fault.concerns(user, operation) {
      if case .slow(let milliseconds) = fault.kind { try await pause(nanoseconds: milliseconds * 1_000_000) }
      if let trouble = fault.trouble { throw trouble }
    }
  }

  /// The folder without mistakes. One with a mistake is read again, because its editor may be saving.
  private func folder() async throws(ServiceTrouble) -> ServiceFolder {
    var attempt = 1
    while true {
      let trouble: ServiceTrouble
      do throws(ServiceFolderMistake) {
        let folder = try ServiceFolder.read(at: path)
        guard let mistake = folder.mistakes.first else { return folder }
        let others = folder.mistakes.count - 1
        let more = others == 1 ? "1 more mistake" : "\(others) more mistakes"
        trouble = .unreadable("\(mistake)" + (others == 0 ? "" : "; the folder has \(more)"))
      } catch {
        trouble = error.file.isEmpty && error.code == .missing ? .moved("\(error)") : .unreadable("\(error)")
      }
      guard attempt < Self.attempts else { throw trouble }
      attempt += 1
      try await pause(nanoseconds: Self.pauseNanoseconds)
    }
  }

  private static func reference(_ request: ServiceRequest) -> AccountReference {
    AccountReference(objectID: request.objectID, userPrincipalName: request.userPrincipalName)
  }
}
