import AppProtection

/// What administrators configure the app with (`IntuneMAMAppConfigManager`).
///
/// ```swift
/// let configuration = engine.appConfig.configuration(for: alice)
/// let server = configuration.string("server") ?? "https://default.example"
/// if configuration.hasConflict("quota") { smallest = configuration.number("quota", .min) }
/// ```
///
/// An account has a configuration while it is enrolled. Changes are reported to the ``PolicyDelegate`` and to
/// ``PolicyEngine/changes()``.
public struct AppConfigManager: Sendable {
  let engine: PolicyEngine

  /// The configuration of an account: empty until it is enrolled.
  public func configuration(for account: AccountReference?) -> AppConfiguration {
    engine.appConfiguration(for: account)
  }
}

extension PolicyEngine {
  /// What administrators configure the app with.
  public var appConfig: AppConfigManager { AppConfigManager(engine: self) }
}
