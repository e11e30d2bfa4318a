import AppProtection
import AppProtectionKit
import GraphDocuments

/// A management service that speaks the resources of Microsoft Graph over HTTP: registrations of apps, their intended
/// policies and their operations.
///
/// ```swift
/// let service = HTTPService(
///   at: try ServiceAddress("https://graph.microsoft.com/beta"), app: app, tokens: tokens,
///   transport: URLSessionTransport())
/// ```
///
/// The service keeps nothing between requests: it finds an app's registration by user, bundle identifier and device
/// tag, so that a repeated request never registers an app twice. It asks again after a passing failure
/// (``RetryPolicy``), and stops when its task is canceled. <doc:ServiceOutcomes> lists every request, and the code of
/// every outcome.
public struct HTTPService: PolicyService {
  /// What a registration says about the app and its device.
  public struct App: Equatable, Sendable {
    /// The app's bundle identifier.
    public var bundleID: String
    /// The app's version.
    public var version: String
    /// The version of this kit, as the app names it.
    public var sdkVersion: String
    /// The version of the operating system.
    public var platformVersion: String
    /// The kind of device, such as `iPhone`.
    public var deviceType: String
    /// What tells the devices of a user apart, chosen once at installation and kept. Not a secret.
    public var deviceTag: String

    /// An app on a device.
    public init(
      bundleID: String, version: String, sdkVersion: String, platformVersion: String, deviceType: String,
      deviceTag: String
    ) {
      self.bundleID = bundleID
      self.version = version
      self.sdkVersion = sdkVersion
      self.platformVersion = platformVersion
      self.deviceType = deviceType
      self.deviceTag = deviceTag
    }
  }

  /// The longest answer, in bytes.
  public static let maximumBodyLength = 4 << 20
  /// The longest list, in bytes of all its pages.
  public static let maximumListLength = 8 << 20
  /// The most pages of a list.
  public static let maximumPages = 50

  let address: ServiceAddress
  let app: App
  let transport: any HTTPTransport
  private let tokens: any AccessTokenSource
  private let retry: RetryPolicy
  private let random: @Sendable () -> UInt64
  private let pause: ServicePause

  /// A service at an address.
  ///
  /// - Parameters:
  ///   - address: The service's root, with the version in its path, as in `https://graph.microsoft.com/beta`.
  ///   - app: What registrations say about the app.
  ///   - tokens: The token library.
  ///   - transport: What carries the requests.
  ///   - retry: How often to ask again.
  ///   - random: Spreads the pauses between attempts; equal numbers give equal pauses.
  ///   - pause: How the service waits.
  public init(
    at address: ServiceAddress, app: App, tokens: any AccessTokenSource, transport: any HTTPTransport,
    retry: RetryPolicy = RetryPolicy(), random: @escaping @Sendable () -> UInt64, pause: ServicePause = .real
  ) {
    self.address = address
    self.app = app
    self.tokens = tokens
    self.transport = transport
    self.retry = retry
    self.random = random
    self.pause = pause
  }

  /// Registers the app for the account and reads its policies.
  public func enroll(_ request: ServiceRequest) async -> ServiceAnswer {
    await answer(request, .enroll) { (exchange) throws(ServiceTrouble) in
      let user = try await exchange.user()
      return try await exchange.answer(exchange.register(user))
    }
  }

  /// Reports the app, and reads the policies of its registration. Without a registration, the record is gone.
  public func checkIn(_ request: ServiceRequest) async -> ServiceAnswer {
    await answer(request, .checkIn) { (exchange) throws(ServiceTrouble) in
      let user = try await exchange.user()
      let registrations = try await exchange.registrations(of: user)
      guard let first = registrations.first else { throw .gone }
      try await exchange.report(first)
      return try await exchange.answer(registrations)
    }
  }

  /// Deletes the app's registrations; one that is gone already counts as deleted.
  public func unenroll(_ request: ServiceRequest) async -> ServiceFailure? {
    do throws(ServiceTrouble) {
      try await attempt(request, .unenroll) { (exchange) throws(ServiceTrouble) in
        try await exchange.delete(exchange.registrations(of: exchange.user()))
      }
      return nil
    } catch {
      return error == .gone ? nil : error.failure(of: .unenroll)
    }
  }

  /// Registers the app if it is not, and is compliant once a policy targets it.
  public func remediate(_ request: ServiceRequest, isSilent: Bool) async -> RemediationOutcome {
    do throws(ServiceTrouble) {
      return try await attempt(request, .remediate, isSilent: isSilent) { (exchange) throws(ServiceTrouble) in
        let user = try await exchange.user()
        guard let registration = try await exchange.register(user).first else { throw .gone }
        let documents = try await exchange.intendedPolicies(of: registration)
        return documents.policies.isEmpty ? .withoutPolicy : RemediationOutcome(.compliant)
      }
    } catch {
      return error.outcome(isSilent: isSilent, by: request.assumptions)
    }
  }

  /// The app configurations among the intended policies, and whether the account is enabled. Graph does not tell working
  /// times. Nothing while the service cannot answer.
  public func deliveries(_ request: ServiceRequest) async -> ServiceDeliveries {
    do throws(ServiceTrouble) {
      return try await attempt(request, .checkIn) { (exchange) throws(ServiceTrouble) in
        let user = try await exchange.user()
        guard let registration = try await exchange.registrations(of: user).first else { return ServiceDeliveries() }
        let documents = try await exchange.intendedPolicies(of: registration)
        return ServiceDeliveries(
          configuration: documents.entries, user: ServiceUserStatus(isDisabled: !user.isEnabled),
          reference: user.reference)
      }
    } catch {
      return ServiceDeliveries()
    }
  }

  /// Sets the operations that order a wipe from `pending` to `active`. A registration that is gone orders none.
  public func acknowledgeWipe(_ request: ServiceRequest) async -> Bool {
    do throws(ServiceTrouble) {
      try await attempt(request, .checkIn) { (exchange) throws(ServiceTrouble) in
        try await exchange.acknowledgeWipes(of: exchange.registrations(of: exchange.user()))
      }
      return true
    } catch {
      return error == .gone
    }
  }

  /// The app's registration as the service has it, for a diagnosis: `AppRegistration.deliveries` names each policy that
  /// the app has not fetched since it changed. `nil` if the app is not registered.
  public func registration(for request: ServiceRequest) async throws(ServiceTrouble) -> AppRegistration? {
    try await attempt(request, .checkIn) { (exchange) throws(ServiceTrouble) in
      guard let registration = try await exchange.registrations(of: exchange.user()).first else { return nil }
      return try await exchange.details(of: registration)
    }
  }

  // MARK: Attempts

  private func answer(
    _ request: ServiceRequest, _ operation: ServiceOperation,
    _ body: (GraphExchange) async throws(ServiceTrouble) -> ServiceAnswer
  ) async -> ServiceAnswer {
    do throws(ServiceTrouble) {
      return try await attempt(request, operation, body)
    } catch {
      return error.answer(to: operation)
    }
  }

  /// Makes the requests of one operation, all of them again after a passing failure: each operation may be repeated as
  /// a whole. Every attempt uses the first one's token, so that no user signs in twice because a server was busy; one that the
  /// service refuses, as it does once it has expired between two attempts, is renewed once.
  func attempt<Value: Sendable>(
    _ request: ServiceRequest, _ operation: ServiceOperation, isSilent: Bool = true,
    _ body: (GraphExchange) async throws(ServiceTrouble) -> Value
  ) async throws(ServiceTrouble) -> Value {
    var demand = AccessTokenDemand(isSilent: isSilent)
    var known: String?
    var count = 1
    while true {
      let trouble: ServiceTrouble
      do throws(ServiceTrouble) {
        let token: String
        if let known { token = known } else { token = try await tokens.accessToken(for: request, demand).token() }
        known = token
        if Task.isCancelled { throw .canceled }
        return try await body(GraphExchange(self, request, operation, token: token))
      } catch {
        trouble = error
      }
      if Task.isCancelled { throw .canceled }
      if case .tokenRefused(let text) = trouble {
        guard !demand.isRenewal else { throw .signInRequired(text) }
        demand.isRenewal = true
        known = nil
        continue
      }
      guard trouble.isTransient,
        let milliseconds = retry.pauseMilliseconds(
          after: count, retryAfterSeconds: trouble.retryAfter, random: random())
      else { throw trouble }
      count += 1
      try await pause(nanoseconds: milliseconds * 1_000_000)
    }
  }
}
