import EventSourcing
import WireFormat

/// The state after a history of app protection: the accounts and the progress of each, their policies, the identity set
/// in each scope, wipes and remediations, and what is known about the process and its settings.
///
/// A value: copying it is cheap, and two states of the same history are equal and encode to the same bytes.
public struct AppProtectionState: MachineState {
  /// The process that runs, or ran last, and its pending restart.
  public internal(set) var process = ProcessSlice()
  /// The app's settings and what device management prescribes.
  public internal(set) var settings = SettingsSlice()
  /// The accounts and their enrollment.
  public internal(set) var accounts = AccountTable<Account>()
  /// The policies of the accounts that have one.
  public internal(set) var policies = AccountTable<PolicyRecord>()
  /// The identities set for the process, windows and threads.
  public internal(set) var identities = IdentitiesSlice()
  /// The wipes of accounts, finished ones included.
  public internal(set) var wipes = AccountTable<WipeRecord>()
  /// The accounts' standing with conditional access.
  public internal(set) var compliance = ComplianceSlice()
  /// The configuration from device management and the service.
  public internal(set) var configuration = ConfigurationSlice()
  /// The facts that launch conditions are evaluated against.
  public internal(set) var launch = LaunchSlice()

  /// Creates the state before the first event.
  public init() {}

  /// The slices: the outermost members of the tree.
  public static let sliceNames = [
    "process", "settings", "accounts", "policies", "identities", "wipes", "compliance", "configuration", "launch",
  ]

  /// Writes one slice in its canonical form.
  public func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    switch index {
    case 0: process.encode(into: &writer)
    case 1: settings.encode(into: &writer)
    case 2: accounts.encode(into: &writer)
    case 3: policies.encode(into: &writer)
    case 4: identities.encode(into: &writer)
    case 5: wipes.encode(into: &writer)
    case 6: compliance.encode(into: &writer)
    case 7: configuration.encode(into: &writer)
    case 8: launch.encode(into: &writer)
    default: break
    }
  }

  /// Reads one slice in its canonical form.
  public mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    switch index {
    case 0: process = try ProcessSlice(from: &reader)
    case 1: settings = try SettingsSlice(from: &reader)
    case 2: accounts = try AccountTable(from: &reader)
    case 3: policies = try AccountTable(from: &reader)
    case 4: identities = try IdentitiesSlice(from: &reader)
    case 5: wipes = try AccountTable(from: &reader)
    case 6: compliance = try ComplianceSlice(from: &reader)
    case 7: configuration = try ConfigurationSlice(from: &reader)
    case 8: launch = try LaunchSlice(from: &reader)
    default: break
    }
  }

  /// One slice as a readable tree, by its index in ``sliceNames``; empty for any other number.
  public func tree(ofSlice index: Int) -> StateTree {
    switch index {
    case 0: process.tree()
    case 1: settings.tree()
    case 2: accounts.tree()
    case 3: policies.tree()
    case 4: identities.tree()
    case 5: wipes.tree()
    case 6: compliance.tree()
    case 7: configuration.tree()
    case 8: launch.tree()
    default: .members([])
    }
  }

  /// Whether one slice is the same in another state. O(1) if the slice has not changed since one state was copied from
  /// the other.
  public func slice(_ index: Int, equals other: AppProtectionState) -> Bool {
    switch index {
    case 0: process == other.process
    case 1: settings == other.settings
    case 2: accounts == other.accounts
    case 3: policies == other.policies
    case 4: identities == other.identities
    case 5: wipes == other.wipes
    case 6: compliance == other.compliance
    case 7: configuration == other.configuration
    case 8: launch == other.launch
    default: true
    }
  }

  /// The whole state as a readable tree; the outermost members are the slices.
  public func tree() -> StateTree {
    .members(Self.sliceNames.enumerated().map { StateTree.Member($1, tree(ofSlice: $0)) })
  }
}
