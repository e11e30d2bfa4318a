import CommandSupport
import PolicyDocuments

/// What an export says of who gets what: policies, app configurations for managed apps, groups and filters.
struct PolicyTenantInput {
  /// The policies, each with its file.
  private(set) var items: [(item: PolicyFile.Item, file: String)] = []
  /// The app configurations for managed apps, each with its file.
  private(set) var configurations:
    [(configuration: AppConfigurationDocument, lost: Set<String>, isPartial: Bool, file: String)] = []
  private(set) var groups: GroupMemberships
  private(set) var filters: [AssignmentFilter] = []

  /// Reads what words name.
  ///
  /// - Parameter groups: The memberships that `--groups` gives.
  static func read(
    _ words: [String], _ groups: GroupMemberships, _ context: CommandContext
  ) -> (PolicyTenantInput, PolicyInputs) {
    var export = PolicyTenantInput(groups: groups)
    let inputs = PolicyInputs(words, context) { input, inputs in export.add(input, &inputs, context) }
    return (export, inputs)
  }

  private init(groups: GroupMemberships) { self.groups = groups }

  private mutating func add(_ input: PolicyInput, _ inputs: inout PolicyInputs, _ context: CommandContext) {
    items += input.policies.map { ($0, input.name) }
    input.noteUnknown(context)
    for (document, lost) in zip(input.others, input.lostInOthers) {
      groups.add(document)
      switch document {
      case .filter(let filter): filters.append(filter)
      case .group, .names: break
      // Those for managed devices name apps by their identifiers in the service alone.
      case .appConfiguration(let configuration) where configuration.channel == .managedApps:
        configurations.append((configuration, lost, input.isPartial, input.name))
      case .appConfiguration, .registration, .deploymentSummary, .operation, .logCollectionRequest, .status,
        .wipeAction, .diagnosticStatus:
        inputs.skip(document.kindName)
      }
    }
  }

  /// The memberships that `--groups` gives.
  static func groups(_ context: CommandContext) throws(Failure) -> GroupMemberships {
    var groups = GroupMemberships()
    for path in context.arguments.values(of: "groups") {
      let bytes = try FileInput.bytes(of: path)
      try translate { () throws(PolicyDocumentError) in try groups.add(bytes, name: path) }
    }
    return groups
  }

  /// What `--device` says of the device.
  static func device(_ context: CommandContext) throws(Failure) -> FilterFacts {
    guard let path = context.arguments.value(of: "device") else { return FilterFacts() }
    let bytes = try FileInput.bytes(of: path)
    return try translate { () throws(PolicyDocumentError) in try FilterFacts.read(bytes, name: path) }
  }

  private static func translate<Result>(
    _ body: () throws(PolicyDocumentError) -> Result
  ) throws(Failure) -> Result {
    do throws(PolicyDocumentError) {
      return try body()
    } catch {
      throw Failure(document: error)
    }
  }
}
