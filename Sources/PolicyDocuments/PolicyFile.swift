import AppProtection
import JSON

/// The policies in a file, either a Graph export or a device's dump, each with the places of its settings.
///
/// ```swift
/// let file = try PolicyFile.read(bytes, name: "level-3.json")
/// for policy in file.policies { for finding in policy.findings { print(finding) } }
/// ```
public struct PolicyFile: Sendable {
  /// A policy in a file.
  public struct Item: Sendable {
    /// What the document says, read as Graph's settings.
    public internal(set) var policy: PolicyDocument
    /// Whether it uses a device's encoding.
    public let isFromDevice: Bool
    /// The path from the document's outermost value; empty if the policy is the document itself.
    public let path: String
    /// Where the policy begins; `nil` for lines.
    public let place: DocumentPlace?
    /// Lint's findings, with the places of the settings in the file; errors in the encoding come first.
    public internal(set) var findings: [PolicyFinding]
    /// Whether a setting that the document lacks is unknown: the exporting program leaves many out, or asked for others alone.
    public internal(set) var isPartial = false
    /// The members that the document had and whose values are unknown: the exporting program lost them, or wrote them in a form
    /// that says nothing certain.
    public internal(set) var lost: Set<String> = []

    /// Whether the assignments are groups alone, because the exporting program leaves other targets and filters out.
    public internal(set) var listsGroupsAlone = false

    init(
      policy: PolicyDocument, isFromDevice: Bool, path: String, place: DocumentPlace?, findings: [PolicyFinding]
    ) {
      self.policy = policy
      self.isFromDevice = isFromDevice
      self.path = path
      self.place = place
      self.findings = findings
    }

    /// Replaces a setting, for a comparison in which its form does not count. Findings stay as they are.
    package mutating func replace(_ property: PolicyProperty, _ value: PolicyValue) {
      policy[property] = .value(value)
    }

    /// Whether the document has a setting whose value is lost or unreadable.
    public func isLost(_ setting: PortalSetting) -> Bool { setting.properties.contains { lost.contains($0.name) } }

    /// Whether nothing is known of a setting: its value is lost or unreadable, or the document's source may have left it out.
    public func isUnknown(_ setting: PortalSetting) -> Bool {
      isLost(setting) || setting.properties.allSatisfy { unknown.leavesOut($0, policy) }
    }

    /// Of which settings the document says nothing.
    public var unknown: UnknownSettings {
      UnknownSettings(isFromDevice: isFromDevice, isPartial: isPartial, lost: lost)
    }

    /// The setting for which nothing is known of when something comes, of a user who is at work; `nil` where it is known.
    public func unknownSetting(of kind: Deadline.Kind) -> PolicyProperty? {
      guard kind != .clockOut else { return nil }
      if let demand = kind.settings.demand {
        if isUnknown(demand) { return demand }
        guard policy[demand] == .value(.flag(true)) else { return nil }
      }
      return kind.settings.interval.flatMap { isUnknown($0) ? $0 : nil }
    }

    /// Whether the value of a property is unknown: lost or unreadable, or not reported by the document's source.
    public func isUnknown(_ property: PolicyProperty) -> Bool { unknown.contains(property, in: policy) }

    /// A policy that does not come from a file; its findings have no places.
    public init(_ policy: PolicyDocument) {
      self.init(
        policy: policy, isFromDevice: false, path: "", place: nil, findings: PolicyLint.findings(in: policy))
    }
  }

  /// The file as named by the caller.
  public private(set) var name: String?
  /// Where the outermost value begins; `nil` for lines and property lists.
  public let place: DocumentPlace?
  /// The policies, in the order of the file.
  public internal(set) var policies: [Item]
  /// Other app management documents, in the order of the file.
  public internal(set) var others: [ManagementDocument]
  /// What lint found in those of them that are app configurations, and which members of the others could not be read, with
  /// places.
  public private(set) var configurationFindings: [PolicyFinding]
  /// Of each of ``others``, the members whose values are unknown.
  public internal(set) var lostInOthers: [Set<String>] = []
  /// Whether what a document lacks is unknown, because the exporting program leaves many members out.
  public private(set) var isPartial = false
  /// Documents of foreign types, such as scripts, in the order of the file.
  /// ``/GraphDocuments/PolicyDocumentError/foreignKind`` describes each.
  public private(set) var refusals: [PolicyDocumentError]

  /// Where a list says that it goes on in another response, which the file does not have; `nil` if none does.
  public private(set) var continuation: DocumentPlace?
  /// The shape of the export that it comes from, as far as the file shows it.
  public private(set) var shape = ExportShape.device

  /// Gives the file another name in every finding and error, as where its own names a person.
  package mutating func rename(_ name: String) {
    self.name = name
    for index in policies.indices {
      for finding in policies[index].findings.indices { policies[index].findings[finding].file = name }
    }
    for index in configurationFindings.indices { configurationFindings[index].file = name }
    for index in refusals.indices { refusals[index].file = name }
  }

  /// Reads a file: a document of Graph or a device, in JSON or as a property list, or an export as YAML, as a configuration of
  /// Microsoft365DSC, or as a table that ``PolicyConversion`` wrote.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` if the file is none of them, and the errors of
  ///   ``/GraphDocuments/GraphDocument/read(_:file:)``.
  public static func read(_ bytes: [UInt8], name: String? = nil) throws(PolicyDocumentError) -> PolicyFile {
    do throws(PolicyDocumentError) {
      let form = ExportForm(of: bytes, name: name)
      func file(
        _ value: ExportedValue, _ encoding: JSONDocument.Encoding, original: JSONValue, _ oddities: [JSONOddity] = []
      ) throws(PolicyDocumentError) -> PolicyFile {
        var file = try PolicyFile(value, encoding, name, oddities)
        file.shape = ExportShape(ExportShape.Signs(path: name ?? "", form: form, value: original))
        return file
      }
      switch form {
      case .table:
        let text = try ExportText(bytes)
        let value = try DocumentTable.read(text)
        return try file(ExportedValue(value), text.encoding, original: value)
      case .yaml:
        let text = try ExportText(bytes)
        let value = try YAMLReader.read(text)
        return try file(ExportedValue(value), text.encoding, original: value)
      case .desiredState:
        let text = try ExportText(bytes)
        return try file(ExportedValue(try DesiredStateReader.read(text)), text.encoding, original: .null)
      case .compiledConfiguration: throw .compiledConfiguration
      case .script: throw .script
      case .other: break
      }
      if case .json = DocumentForm(of: bytes) {
        let (json, oddities) = try PolicyDocumentError.translate { () throws(JSONError) in
          try JSONDocument.parse(tolerating: bytes)
        }
        guard DeviceDocument.recognizes(json.value) else {
          return try file(ExportedValue(json.value), json.encoding, original: json.value, oddities)
        }
        var read = PolicyFile(try DeviceDocument(json.root), name)
        read.add(oddities)
        return read
      }
    } catch {
      var error = error
      error.file = name
      throw error
    }
    return PolicyFile(try DeviceDocument.read(bytes, file: name), name)
  }

  private init(
    _ value: ExportedValue, _ encoding: JSONDocument.Encoding, _ name: String?, _ oddities: [JSONOddity]
  ) throws(PolicyDocumentError) {
    let document = try GraphDocument.read(
      JSONNode(value.root), encoding: encoding, file: name, including: .everyPlatform)
    func findings(_ doubts: [MemberDoubt], _ places: MemberPlaces) -> [PolicyFinding] {
      doubts.map { $0.finding.placed(by: places, in: name) }
    }
    self.name = name
    place = DocumentPlace(value.root.position)
    policies = document.policies.map { item in
      let lost = Set(item.doubts.filter(\.isUnknown).map(\.member))
      let lint = PolicyLint.findings(in: item.policy, lacking: lost).map { $0.placed(by: item.source.places, in: name) }
      var read = Item(
        policy: item.policy, isFromDevice: false,
        path: item.source.path.components.isEmpty ? "" : "\(item.source.path)",
        place: DocumentPlace(item.source.position), findings: findings(item.doubts, item.source.places) + lint)
      read.isPartial = value.isPartial || item.isSelection
      read.listsGroupsAlone = value.groupsAlone.contains(item.source.path)
      read.lost = lost
      return read
    }
    others = document.others
    configurationFindings = document.others.indices.flatMap { index -> [PolicyFinding] in
      let odd = findings(document.otherDoubts[index], document.otherPlaces[index])
      guard case .appConfiguration(let configuration) = document.others[index] else { return odd }
      let lint = ConfigurationLint.findings(in: configuration)
      return odd + lint.map { $0.placed(by: document.otherPlaces[index], in: name) }
    }
    lostInOthers = document.otherDoubts.map { Set($0.filter(\.isUnknown).map(\.member)) }
    refusals =
      value.refusals.map { refusal in
        var refusal = refusal
        refusal.file = name
        return refusal
      } + document.refusals
    continuation = value.continuation
    isPartial = value.isPartial
    let ways = (document.policies.map(\.source.path), document.otherPlaces.map(\.path))
    add(oddities, inPolicies: ways.0, others: ways.1)
  }

  /// Adds what is no JSON to the documents that it is in, or else to the first one.
  ///
  /// - Parameters:
  ///   - policies: The ways to the policies from the text's outermost value.
  ///   - others: The ways to other documents.
  private mutating func add(
    _ oddities: [JSONOddity], inPolicies ways: [JSONPath] = [], others otherWays: [JSONPath] = []
  ) {
    for oddity in oddities.reversed() {
      func member(below way: JSONPath) -> String? {
        guard !oddity.isAboutText, oddity.error.path.components.starts(with: way.components),
          case .member(let name)? = oddity.error.path.components.dropFirst(way.components.count).first
        else { return nil }
        return name
      }
      let policy = ways.firstIndex { member(below: $0) != nil }
      let other = otherWays.firstIndex { member(below: $0) != nil }
      let member = (policy.map { ways[$0] } ?? other.map { otherWays[$0] }).flatMap(member)
      let finding = oddity.finding(of: member, in: name)
      if other == nil, policies.indices.contains(policy ?? 0) {
        policies[policy ?? 0].findings.insert(finding, at: 0)
        if let member, oddity.outcome == .lost { policies[policy ?? 0].lost.insert(member) }
      } else {
        configurationFindings.insert(finding, at: 0)
        if let other, let member, oddity.outcome == .lost { lostInOthers[other].insert(member) }
      }
    }
  }

  private init(_ document: DeviceDocument, _ name: String?) {
    self.name = name
    place = nil
    policies = document.policies.map { item in
      var places: [String: DocumentPlace] = [:]
      for entry in item.policy.entries {
        for property in DeviceSetting.named(entry.name)?.properties ?? [] { places[property.name] = entry.place }
      }
      // Settings that only devices have are reported under the device's names.
      let lint = PolicyLint.findings(in: item.policy.policy).filter { $0.rule != .unknownMember }
      let findings = (item.policy.findings + lint).map { finding in
        var finding = finding
        finding.file = name
        finding.place = finding.place ?? places[finding.setting] ?? item.place
        return finding
      }
      return Item(
        policy: item.policy.policy, isFromDevice: true, path: item.path, place: item.place, findings: findings)
    }
    others = []
    configurationFindings = []
    refusals = []
  }
}
