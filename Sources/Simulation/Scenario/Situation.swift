import AppProtection
import JSON

/// An app, its device and its accounts, as a scenario describes them, without steps.
///
/// The text is a JSON object with the members `app`, `device`, `accounts` and `policies` of a scenario (<doc:Scenarios>); each
/// is optional.
public struct Situation: Sendable {
  /// The app.
  public var app = Scenario.App()
  /// The device. Unlike that of a scenario, whose journal must stay the same, it has the newest rules unless it says otherwise.
  public var device = Scenario.Device(sdk: Version.rules)
  /// The accounts, in the order written. Without any: `owner`, and `other` of another organization.
  public var accounts = [
    ScenarioAccount(name: "owner", reference: AccountReference(userPrincipalName: "owner@contoso.example")),
    ScenarioAccount(name: "other", reference: AccountReference(userPrincipalName: "other@fabrikam.example")),
  ]
  /// The policies of accounts with these names.
  public var policies: [Scenario.Policy] = []

  /// The standard app on the standard device.
  public init() {}

  /// Reads a situation and the policy documents it names.
  ///
  /// - Throws: ``ScenarioError`` with the file, line and column of the problem.
  public init(_ text: [UInt8], file: String) throws(ScenarioError) {
    self = try Scenario.reading(file) {
      var decoder = ScenarioDecoder(file: file)
      return try decoder.situation(text)
    }
  }

  /// How a process of the app starts.
  public var process: ProcessStart { ProcessStart(app, device) }
}

extension ProcessStart {
  /// A process of an app on a device.
  init(_ app: Scenario.App, _ device: Scenario.Device) {
    self.init()
    appVersion = app.version
    isExtension = app.isExtension
    sdkVersion = device.sdk
    osVersion = device.os
    deviceModel = device.model
    self.device = device.facts
  }
}
