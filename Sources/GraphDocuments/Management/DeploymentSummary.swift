import AppProtection
import JSON

/// The number of users who have a policy (Graph: `managedAppPolicyDeploymentSummary`).
public struct DeploymentSummary: Equatable, Sendable {
  /// The number of users of one app who have the policy.
  public struct PerApp: Equatable, Sendable {
    /// The app's identifier on its platform.
    public let app: String?
    /// Number of users who have it.
    public let appliedUserCount: Int
  }

  /// The policy's name.
  public let displayName: String?
  /// Number of users it is deployed to.
  public let deployedUserCount: Int?
  /// The time of the count, as written.
  public let lastRefreshTime: String?
  /// The counts for each app.
  public let perApp: [PerApp]
  /// The revision.
  public let version: String?

  init(_ node: JSONNode) throws(JSONError) {
    displayName = try node.text("displayName")
    deployedUserCount = try node.present("configurationDeployedUserCount")?.integer(in: 0...Int(Int32.max))
    lastRefreshTime = try node.text("lastRefreshTime")
    version = try node.text("version")
    var perApp: [PerApp] = []
    for entry in try node.present("configurationDeploymentSummaryPerApp")?.elements() ?? [] {
      perApp.append(
        PerApp(
          app: try entry.appIdentifier("mobileAppIdentifier"),
          appliedUserCount: try entry.present("configurationAppliedUserCount")?.integer(in: 0...Int(Int32.max)) ?? 0))
    }
    self.perApp = perApp
  }

  var rows: [ManagementDocument.Row] {
    typealias Row = ManagementDocument.Row
    let counts = perApp.map { Row("Users of \($0.app ?? "an app")", "\($0.appliedUserCount)") }
    return
      ([
        Row("Name", displayName), Row("Users", deployedUserCount.map { "\($0)" }),
        Row("Counted", lastRefreshTime), Row("Version", version),
      ] + counts).compactMap { $0 }
  }
}
