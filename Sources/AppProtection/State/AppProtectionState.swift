import EventSourcing
import WireFormat

/// The state after a history of app protection: the accounts and the progress of each, their policies, the identity set
/// in each scope, wipes and remediations, and what is known about the process and its settings.
///
/// A value: copying it is cheap, and two states of the same history are equal and encode to the same bytes.
public struct AppProtectionState: MachineState {
  /// The process that runs, or ran last, and its pending restart.
  public package(set) var process = ProcessSlice() { didSet { markChanged(.process) } }
  /// The app's settings and what device management prescribes.
  public package(set) var settings = SettingsSlice() { didSet { markChanged(.settings) } }
  /// The accounts and their enrollment.
  public package(set) var accounts = AccountTable<Account>() { didSet { markChanged(.accounts) } }
  /// The policies of the accounts that have one.
  public package(set) var policies = AccountTable<PolicyRecord>() { didSet { markChanged(.policies) } }
  /// The identities set for the process, windows and threads.
  public internal(set) var identities = IdentitiesSlice() { didSet { markChanged(.identities) } }
  /// The wipes of accounts, finished ones included.
  public internal(set) var wipes = AccountTable<WipeRecord>() { didSet { markChanged(.wipes) } }
  /// The accounts' standing with conditional access.
  public internal(set) var compliance = ComplianceSlice() { didSet { markChanged(.compliance) } }
  /// The configuration from device management and the service.
  public internal(set) var configuration = ConfigurationSlice() { didSet { markChanged(.configuration) } }
  /// The facts that launch conditions are evaluated against.
  public internal(set) var launch = LaunchSlice() { didSet { markChanged(.launch) } }

  /// What was written since the changes were last taken.
  private var changed = ChangedSlices()

  /// Creates the state before the first event.
  public init() {}

  /// The slices in the order of their numbers, which are those of digests and checkpoints and never change.
  private enum Slice: Int, CaseIterable, CodingKey {
    case process, settings, accounts, policies, identities, wipes, compliance, configuration, launch
  }

  /// The slices: the outermost members of the tree. `CodingKey` has the names from the compiler; printing them takes two
  /// million instructions.
  public static let sliceNames = Slice.allCases.map(\.stringValue)

  private mutating func markChanged(_ slice: Slice) { changed.insert(slice.rawValue) }

  /// The slices that were written since the last call.
  public mutating func takeChangedSlices() -> ChangedSlices? { changed.removeAll() }

  /// The fields of each slice.
  public static var sliceDescriptors: [MessageDescriptor] {
    Slice.allCases.map { slice in
      switch slice {
      case .process: ProcessSlice.descriptor
      case .settings: SettingsSlice.descriptor
      case .accounts: AccountTable<Account>.descriptor
      case .policies: AccountTable<PolicyRecord>.descriptor
      case .identities: IdentitiesSlice.descriptor
      case .wipes: AccountTable<WipeRecord>.descriptor
      case .compliance: ComplianceSlice.descriptor
      case .configuration: ConfigurationSlice.descriptor
      case .launch: LaunchSlice.descriptor
      }
    }
  }

  /// Writes one slice in its canonical form.
  public func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    switch Slice(rawValue: index) {
    case .process: process.encode(into: &writer)
    case .settings: settings.encode(into: &writer)
    case .accounts: accounts.encode(into: &writer)
    case .policies: policies.encode(into: &writer)
    case .identities: identities.encode(into: &writer)
    case .wipes: wipes.encode(into: &writer)
    case .compliance: compliance.encode(into: &writer)
    case .configuration: configuration.encode(into: &writer)
    case .launch: launch.encode(into: &writer)
    case nil: break
    }
  }

  /// Writes one slice for its digest, with the digest of each table in place of its records.
  public func digestSlice(_ index: Int, into writer: inout DigestWriter) {
    switch Slice(rawValue: index) {
    case .accounts: accounts.digest(into: &writer)
    case .policies: policies.digest(into: &writer)
    case .wipes: wipes.digest(into: &writer)
    case .compliance: compliance.digest(into: &writer)
    case .configuration: configuration.digest(into: &writer)
    case .launch: launch.digest(into: &writer)
    case .process, .settings, .identities, nil: encodeSlice(index, into: &writer.fields)
    }
  }

  /// Opens the personal data: only these slices have some that can be sealed.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try accounts.passPersonal(to: &pass)
    try wipes.passPersonal(to: &pass)
    try compliance.passPersonal(to: &pass)
    try configuration.passPersonal(to: &pass)
  }

  /// Reads one slice in its canonical form.
  public mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    switch Slice(rawValue: index) {
    case .process: process = try ProcessSlice(from: &reader)
    case .settings: settings = try SettingsSlice(from: &reader)
    case .accounts: accounts = try AccountTable(from: &reader)
    case .policies: policies = try AccountTable(from: &reader)
    case .identities: identities = try IdentitiesSlice(from: &reader)
    case .wipes: wipes = try AccountTable(from: &reader)
    case .compliance: compliance = try ComplianceSlice(from: &reader)
    case .configuration: configuration = try ConfigurationSlice(from: &reader)
    case .launch: launch = try LaunchSlice(from: &reader)
    case nil: break
    }
  }

  /// One slice as a readable tree, by its index in ``sliceNames``; empty for any other number.
  public func tree(ofSlice index: Int) -> StateTree {
    switch Slice(rawValue: index) {
    case .process: process.tree()
    case .settings: settings.tree()
    case .accounts: accounts.tree()
    case .policies: policies.tree()
    case .identities: identities.tree()
    case .wipes: wipes.tree()
    case .compliance: compliance.tree()
    case .configuration: configuration.tree()
    case .launch: launch.tree()
    case nil: .members([])
    }
  }

  /// The part of one slice at a path of names, built without its other parts where they can be left out.
  public func part(ofSlice index: Int, at names: ArraySlice<Substring>) -> StateTree? {
    switch Slice(rawValue: index) {
    case .process: process.part(at: names)
    case .settings: settings.part(at: names)
    case .accounts: accounts.part(at: names)
    case .policies: policies.part(at: names)
    case .identities: identities.part(at: names)
    case .wipes: wipes.part(at: names)
    case .compliance: compliance.part(at: names)
    case .configuration: configuration.part(at: names)
    case .launch: launch.part(at: names)
    case nil: nil
    }
  }

  /// Whether one slice is the same in another state. O(1) if the slice has not changed since one state was copied from
  /// the other.
  public func slice(_ index: Int, equals other: AppProtectionState) -> Bool {
    switch Slice(rawValue: index) {
    case .process: process == other.process
    case .settings: settings == other.settings
    case .accounts: accounts == other.accounts
    case .policies: policies == other.policies
    case .identities: identities == other.identities
    case .wipes: wipes == other.wipes
    case .compliance: compliance == other.compliance
    case .configuration: configuration == other.configuration
    case .launch: launch == other.launch
    case nil: true
    }
  }

  /// Copies one slice.
  public mutating func copySlice(_ index: Int, of other: AppProtectionState) {
    switch Slice(rawValue: index) {
    case .process: process = other.process
    case .settings: settings = other.settings
    case .accounts: accounts = other.accounts
    case .policies: policies = other.policies
    case .identities: identities = other.identities
    case .wipes: wipes = other.wipes
    case .compliance: compliance = other.compliance
    case .configuration: configuration = other.configuration
    case .launch: launch = other.launch
    case nil: break
    }
  }

  /// Adds what differs between one slice and that of a later state.
  public func compareSlice(
    _ index: Int, with later: AppProtectionState, at place: StatePlace, _ differ: StateDiffer
  ) {
    switch Slice(rawValue: index) {
    case .process: process.compare(with: later.process, at: place, differ)
    case .settings: settings.compare(with: later.settings, at: place, differ)
    case .accounts: accounts.compare(with: later.accounts, at: place, differ)
    case .policies: policies.compare(with: later.policies, at: place, differ)
    case .identities: identities.compare(with: later.identities, at: place, differ)
    case .wipes: wipes.compare(with: later.wipes, at: place, differ)
    case .compliance: compliance.compare(with: later.compliance, at: place, differ)
    case .configuration: configuration.compare(with: later.configuration, at: place, differ)
    case .launch: launch.compare(with: later.launch, at: place, differ)
    case nil: break
    }
  }

  /// The whole state as a readable tree; the outermost members are the slices.
  public func tree() -> StateTree {
    .members(Self.sliceNames.enumerated().map { StateTree.Member($1, tree(ofSlice: $0)) })
  }
}
