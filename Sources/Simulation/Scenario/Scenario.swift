import AppProtection
import Journal

/// A scripted history: an app, a device, accounts, policies and what happens to them, step by step.
///
/// A scenario is a JSON file (see <doc:Scenarios>, or ``helpText``). Running it drives the real engine and writes a
/// real journal. The same scenario always produces the same bytes, because everything that could vary between runs,
/// such as time, comes from the file.
///
/// ```swift
/// let scenario = try Scenario.load("journals/first-enrollment/scenario.json")
/// let result = try ScenarioRunner.run(scenario, into: "journal")
/// result.unmet.isEmpty
/// ```
public struct Scenario: Sendable {
  /// The format version that this program reads.
  public static let formatVersion = 1

  /// The source file, for messages; `scenario` if there is none.
  public var file: String
  /// The subject, in a few words.
  public var title: String
  /// What a reader can learn from it.
  public var teaches: String
  /// Settings of the journal to write.
  public var journal: JournalSettings
  /// The app that embeds the engine.
  public var app: App
  /// The device it runs on.
  public var device: Device
  /// The accounts, in the order written.
  public var accounts: [ScenarioAccount]
  /// The policies that the service can deliver, in the order written.
  public var policies: [Policy]
  /// The initial wall-clock time, in nanoseconds since 1970-01-01T00:00:00Z.
  public var startNanoseconds: Int64
  /// The steps to carry out, in order.
  public let steps: ScenarioSteps

  /// Settings of the journal to write.
  public struct JournalSettings: Equatable, Sendable {
    /// The journal's identity.
    public var id: JournalID
    /// The size in bytes at which a segment is closed.
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
    /// The app's version, as the engine reports it.
    public var version = "1.0"
    /// Whether the process is an app extension.
    public var isExtension = false
    /// Whether the engine records the commands that the rules refuse.
    public var recordsRefusals = false
    /// The settings in its property list.
    public var settings = AppSettings()
    /// Those of its settings that no event records.
    public var protection = ProtectionSettings()
  }

  /// The device that the app runs on.
  public struct Device: Equatable, Sendable {
    /// The version of the operating system.
    public var os = "17.0"
    /// The model, such as `iPhone12,1`.
    public var model = "iPhone12,1"
    /// The version of the engine, as version-dependent rules see it.
    public var sdk = Version.sdk
    /// What the app reports about the device; `nil` if it reports nothing.
    public var facts: DeviceFacts?
  }

  /// A policy that the service can deliver.
  public struct Policy: Equatable, Sendable {
    /// The policy's name in the scenario.
    public var name: String
    /// The policy itself.
    public var document: PolicyDocument
  }

  /// The account with this name; `nil` if there is none.
  func account(named name: String) -> ScenarioAccount? {
    accounts.first { $0.name == name }
  }

  /// The policy with this name; `nil` if there is none.
  func policy(named name: String) -> PolicyDocument? {
    policies.first { $0.name == name }?.document
  }
}
