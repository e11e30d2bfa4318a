import AppProtection
import JSON

/// Policies in another shape than they were read in: written, and read back before anything counts as converted.
///
/// ```swift
/// let conversion = PolicyConversion(of: file.policies.map(\.policy), to: .graph)
/// for file in try conversion.files() { print(file.path, file.bytes.count) }
/// ```
public struct PolicyConversion: Sendable {
  /// A shape that is written.
  public enum Shape: String, CaseIterable, Sendable {
    /// A document of Graph, or a list of them.
    case graph
    /// A table of all values.
    case csv
    /// A folder in the shape of IntuneCD, as JSON: without what identifies a policy or a revision in a tenant.
    case intunecd
  }

  /// A file in the new shape.
  public struct File: Equatable, Sendable {
    /// The path in the folder; for a shape of one file, its name.
    public let path: String
    /// The contents.
    public let bytes: [UInt8]
  }

  /// A policy that was not read back as it was: nothing may be written.
  public struct Difference: Error, Equatable, Sendable {
    /// The policy, from 0.
    public let policy: Int
    /// What differs: a member, or why the text was refused.
    public let what: String
  }

  /// The folder in which IntuneCD has policies.
  public static let folder = "App Protection"

  private let policies: [PolicyDocument]
  private let shape: Shape

  /// - Parameters:
  ///   - policies: What is written, without that which the shape does not hold.
  ///   - shape: The new shape.
  public init(of policies: [PolicyDocument], to shape: Shape) {
    self.policies = policies.map { Self.held($0, by: shape) }
    self.shape = shape
  }

  /// Why a policy is in no shape that is written; `nil` if it can be. Nothing there says that a setting is unknown, and one that is
  /// left out counts as not configured.
  public static func obstacle(to item: PolicyFile.Item) -> String? {
    if item.isFromDevice { return "a device does not report every setting, and those that it leaves out are unknown" }
    if item.isPartial { return "its source leaves settings out, and whether these are set is unknown" }
    guard !item.lost.isEmpty else { return nil }
    return "the value of \(item.lost.sorted().map { JSONExcerpt.plain($0) }.joined(separator: ", ")) is unknown"
  }

  /// What identifies a policy or a revision of it in a tenant: IntuneCD leaves it out.
  private static let tenantMembers = [
    "id", "version", "createdDateTime", "lastModifiedDateTime", "isAssigned", "deployedAppCount",
  ]

  /// The members that a policy has and the shape does not hold.
  public static func losses(of policy: PolicyDocument, in shape: Shape) -> [String] {
    guard shape == .intunecd, let members = policy.graphJSON().object else { return [] }
    return tenantMembers.filter { members[$0] != nil }
  }

  private static func held(_ policy: PolicyDocument, by shape: Shape) -> PolicyDocument {
    guard shape == .intunecd else { return policy }
    var policy = policy
    for name in losses(of: policy, in: shape) {
      if let property = policy.kind.platform.property(named: name) { policy[property] = .absent }
    }
    policy.keptMembers.removeAll { member in
      tenantMembers.contains(member.name) || member.describesResponse && member.name != "@odata.type"
    }
    return policy
  }

  /// The files of the new shape, each read back and compared.
  ///
  /// - Throws: ``Difference`` for the first policy that is not the same again.
  public func files() throws(Difference) -> [File] {
    let documents = policies.map { $0.graphJSON(includingType: true) }
    switch shape {
    case .graph:
      let value: JSONValue = documents.count == 1 ? documents[0] : .object([.init("value", .array(documents))])
      return [try checked(File(path: "policies.json", bytes: Self.bytes(of: value)), 0..<policies.count)]
    case .csv:
      let bytes = Array(DocumentTable.text(of: documents).utf8)
      return [try checked(File(path: "policies.csv", bytes: bytes), 0..<policies.count)]
    case .intunecd:
      var files: [File] = []
      var names: Set<String> = []
      for (index, document) in documents.enumerated() {
        let path = "\(Self.folder)/\(fileName(of: policies[index], besides: &names))"
        files.append(try checked(File(path: path, bytes: Self.bytes(of: document)), index..<(index + 1)))
      }
      return files
    }
  }

  private static func bytes(of value: JSONValue) -> [UInt8] { Array((value.text(style: .pretty) + "\n").utf8) }

  /// `NAME_TYPE.json`, as the name of a file on every system, and of no other policy.
  private func fileName(of policy: PolicyDocument, besides names: inout Set<String>) -> String {
    let ending = "_\(policy.kind.rawValue)"
    var name = ""
    for scalar in (policy.about.displayName ?? "").unicodeScalars {
      let isSafe = !"/\\:*?<>\"|".unicodeScalars.contains(scalar) && !scalar.properties.isDefaultIgnorableCodePoint
      let isPrinted = scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) && !(0x2028...0x2029 ~= scalar.value)
      name.unicodeScalars.append(isSafe && isPrinted ? scalar : "_")
      // Longer names are refused by file systems.
      if name.utf8.count >= 150 { break }
    }
    // Neither a hidden file nor an option, and no space or dot that Windows drops.
    while let first = name.unicodeScalars.first, " .-~".unicodeScalars.contains(first) {
      name.unicodeScalars.removeFirst()
    }
    while let last = name.unicodeScalars.last, " .".unicodeScalars.contains(last) { name.unicodeScalars.removeLast() }
    if name.isEmpty { name = "policy" }
    var (candidate, number) = (name + ending, 1)
    while !names.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(name) \(number)\(ending)"
    }
    return candidate + ".json"
  }

  // MARK: Reading back

  private func checked(_ file: File, _ range: Range<Int>) throws(Difference) -> File {
    let read: PolicyFile
    do throws(PolicyDocumentError) { read = try PolicyFile.read(file.bytes, name: file.path) } catch {
      throw Difference(policy: range.lowerBound, what: "\(error)")
    }
    guard read.policies.count == range.count, read.others.isEmpty, read.refusals.isEmpty else {
      throw Difference(policy: range.lowerBound, what: "the number of policies")
    }
    for (index, item) in zip(range, read.policies) {
      guard let what = item.lost.min() ?? Self.difference(policies[index], item.policy) else { continue }
      throw Difference(policy: index, what: what)
    }
    return file
  }

  private static func difference(_ one: PolicyDocument, _ other: PolicyDocument) -> String? {
    guard one.kind == other.kind else { return "@odata.type" }
    if let property = one.kind.platform.properties.first(where: { one[$0] != other[$0] }) { return property.name }
    func kept(_ policy: PolicyDocument) -> [KeptMember] { policy.keptMembers.filter { $0.name != "@odata.type" } }
    let (mine, others) = (kept(one), kept(other))
    guard mine != others else { return nil }
    return zip(mine, others).first { $0 != $1 }?.0.name ?? "a member that is not Graph's"
  }
}
