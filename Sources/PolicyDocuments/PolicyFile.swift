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
    public let policy: PolicyDocument
    /// Whether it uses a device's encoding.
    public let isFromDevice: Bool
    /// The path from the document's outermost value; empty if the policy is the document itself.
    public let path: String
    /// Where the policy begins; `nil` for lines.
    public let place: DocumentPlace?
    /// Lint's findings, with the places of the settings in the file; errors in the encoding come first.
    public let findings: [PolicyFinding]

    init(
      policy: PolicyDocument, isFromDevice: Bool, path: String, place: DocumentPlace?, findings: [PolicyFinding]
    ) {
      self.policy = policy
      self.isFromDevice = isFromDevice
      self.path = path
      self.place = place
      self.findings = findings
    }

    /// A policy that does not come from a file; its findings have no places.
    public init(_ policy: PolicyDocument) {
      self.init(
        policy: policy, isFromDevice: false, path: "", place: nil, findings: PolicyLint.findings(in: policy))
    }
  }

  /// The file as named by the caller.
  public let name: String?
  /// Where the outermost value begins; `nil` for lines and property lists.
  public let place: DocumentPlace?
  /// The policies, in the order of the file.
  public let policies: [Item]
  /// Other app management documents, in the order of the file.
  public let others: [ManagementDocument]
  /// What lint found in those of them that are app configurations, with places.
  public let configurationFindings: [PolicyFinding]
  /// Documents of foreign types, such as scripts, in the order of the file.
  /// ``PolicyDocumentError/foreignKind`` describes each.
  public let refusals: [PolicyDocumentError]

  /// Reads a file.
  ///
  /// - Throws: ``PolicyDocumentError`` if the file is neither, and the errors of ``GraphDocument/read(_:file:)``.
  public static func read(_ bytes: [UInt8], name: String? = nil) throws(PolicyDocumentError) -> PolicyFile {
    if case .json = DocumentForm(of: bytes) {
      let json: JSONDocument
      do throws(JSONError) {
        json = try JSONDocument.parse(bytes)
      } catch {
        var error = PolicyDocumentError(error)
        error.file = name
        throw error
      }
      guard DeviceDocument.recognizes(json.value) else {
        let document = try GraphDocument.read(json, file: name, including: .everyPlatform)
        return PolicyFile(document, name, DocumentPlace(json.root.position))
      }
    }
    return PolicyFile(try DeviceDocument.read(bytes, file: name), name)
  }

  private init(_ document: GraphDocument, _ name: String?, _ place: DocumentPlace?) {
    self.name = name
    self.place = place
    policies = document.policies.map { item in
      let findings = PolicyLint.findings(in: item.policy).map { $0.placed(by: item.source.places, in: name) }
      return Item(
        policy: item.policy, isFromDevice: false,
        path: item.source.path.components.isEmpty ? "" : "\(item.source.path)",
        place: DocumentPlace(item.source.position), findings: findings)
    }
    others = document.others
    configurationFindings = zip(document.others, document.otherPlaces).flatMap { other, places -> [PolicyFinding] in
      guard case .appConfiguration(let configuration) = other else { return [] }
      return ConfigurationLint.findings(in: configuration).map { $0.placed(by: places, in: name) }
    }
    refusals = document.refusals
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
