import AppProtection
import Journal

/// A scripted history: an app, a device, accounts, policies and what happens to them, step by step.
///
/// A scenario is a JSON file (see <doc:Scenarios>, or ``helpText``). Running it drives the real engine and writes a real
/// journal; the same scenario always gives the same bytes, because everything that could differ from run to run, such
/// as time, comes from the file.
///
/// ```swift
/// let scenario = try Scenario.load("journals/first-enrollment/scenario.json")
/// let result = try ScenarioRunner.run(scenario, into: "journal")
/// result.unmet.isEmpty
/// ```
public struct Scenario: Equatable, Sendable {
  /// The version of the format that this program reads.
  public static let formatVersion = 1

  /// The file it came from, for messages; `scenario` when it came from none.
  public var file: String
  /// What it is about, in a few words.
  public var title: String
  /// What can be learned from it.
  public var teaches: String
  /// How the journal is written.
  public var journal: JournalSettings
  /// The app that embeds the engine.
  public var app: App
  /// The device it runs on.
  public var device: Device
  /// The accounts, in the order in which they are written.
  public var accounts: [ScenarioAccount]
  /// The policies that the service can answer with, in the order in which they are written.
  public var policies: [Policy]
  /// What the wall clock shows before the first step, in nanoseconds since 1970-01-01T00:00:00Z.
  public var startNanoseconds: Int64
  /// What happens.
  public var steps: [ScenarioStep]

  /// How the journal is written.
  public struct JournalSettings: Equatable, Sendable {
    /// The journal's identity.
    public var id: JournalID
    /// The size in bytes after which a segment is closed.
    public var segmentSize = 8 << 20
    /// When events are made durable.
    public var sync = Sync.everyCommit
  }

  /// When events are made durable.
  public enum Sync: String, CaseIterable, Sendable {
    /// Before a command returns.
    case everyCommit
    /// When the journal is closed.
    case none
  }

  /// The app that embeds the engine.
  public struct App: Equatable, Sendable {
    /// Its version.
    public var version = "1.0"
    /// Whether the process is an app extension.
    public var isExtension = false
    /// What its property list sets.
    public var settings = AppSettings()
  }

  /// The device the app runs on.
  public struct Device: Equatable, Sendable {
    /// The version of the operating system.
    public var os = "17.0"
    /// The model, such as `iPhone12,1`.
    public var model = "iPhone12,1"
    /// The version of the engine, as the rules that depend on it see it.
    public var sdk = "19.2.0"
    /// What the app finds out about it; `nil` when the app does not look.
    public var facts: DeviceFacts?
  }

  /// A policy that the service can answer with.
  public struct Policy: Equatable, Sendable {
    /// The name by which the scenario calls the policy.
    public var name: String
    /// The policy.
    public var document: PolicyDocument
  }

  /// The account of this name.
  func account(named name: String) -> ScenarioAccount? {
    accounts.first { $0.name == name }
  }

  /// The policy of this name.
  func policy(named name: String) -> PolicyDocument? {
    policies.first { $0.name == name }?.document
  }
}
