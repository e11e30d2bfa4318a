import AppProtection
import JSON

/// Assignments in files of their own, as IntuneBackupAndRestore writes them to a folder `Assignments` beside the policies,
/// and the policies that they belong to.
///
/// ```swift
/// var lists = AssignmentLists()
/// try lists.add(bytes, path: "App Protection Policies/Assignments/T_1 - Kasse.json")
/// lists.join(&file, path: "App Protection Policies/Kasse.json")
/// ```
public struct AssignmentLists: Sendable {
  private struct List {
    let path: String
    let assignments: [PolicyAssignment]
    var isJoined = false
  }

  private var lists: [List] = []
  /// The places of the lists in ``lists``, by the folder of their policies and by the id and the name of each.
  private var places: [String: Int] = [:]

  private static func key(_ folder: Substring, id: String) -> String { "\(folder)\nid\n\(id.lowercased())" }
  private static func key(_ folder: Substring, stem: String) -> String { "\(folder)\nname\n\(stem)" }

  /// Creates an empty set.
  public init() {}

  /// Whether a file is in a folder of assignments.
  public static func holds(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last?.lowercased() == "assignments" && path.lowercased().hasSuffix(".json")
  }

  /// Reads a file.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` if it is no list of assignments.
  public mutating func add(_ bytes: [UInt8], path: String) throws(PolicyDocumentError) {
    do throws(PolicyDocumentError) {
      let json = try PolicyDocumentError.translate { () throws(JSONError) in try JSONDocument.parse(bytes) }
      let (assignments, context) = try PolicyDocumentError.translate { () throws(JSONError) in
        let isBare = json.value.array != nil
        let list = isBare ? json.root : try json.root.required("value")
        var assignments: [PolicyAssignment] = []
        for element in list.value.array == nil ? [list] : try list.elements() {
          _ = try element.required("target").object()
          assignments.append(try PolicyAssignment(graph: element))
        }
        return (assignments, isBare ? nil : try json.root.text("@odata.context"))
      }
      let name = Self.stem(of: path)
      // The name of a newer file begins with the policy's id.
      let parts = name.firstRange(of: " - ")
      let folder = Self.folder(of: path).dropLast("/assignments".count)
      let id = context.flatMap(Self.owner) ?? parts.map { String(name[..<$0.lowerBound]) }
      if let id { places[Self.key(folder, id: id)] = lists.count }
      places[Self.key(folder, stem: parts.map { String(name[$0.upperBound...]) } ?? name)] = lists.count
      lists.append(List(path: path, assignments: assignments))
    } catch {
      var error = error
      error.file = path
      throw error
    }
  }

  /// The entity in the context of a response: `T_1` in `…/iosManagedAppProtections('T_1')/assignments`.
  private static func owner(_ context: String) -> String? {
    guard let start = context.firstRange(of: "('"), let end = context[start.upperBound...].firstRange(of: "')") else {
      return nil
    }
    return String(context[start.upperBound..<end.lowerBound])
  }

  private static func folder(of path: String) -> Substring {
    path.lastIndex(of: "/").map { path[..<$0] } ?? ""
  }

  private static func stem(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  /// Gives the documents in a file their assignments, unless they have some.
  public mutating func join(_ file: inout PolicyFile, path: String) {
    guard !lists.isEmpty, let property = PolicyProperty.named("assignments") else { return }
    let (folder, stem) = (Self.folder(of: path), Self.stem(of: path))
    func list(_ id: String?) -> Int? {
      id.flatMap { places[Self.key(folder, id: $0)] } ?? places[Self.key(folder, stem: stem)]
    }
    for index in file.policies.indices {
      let policy = file.policies[index].policy
      guard case .absent = policy[property], let place = list(policy.about.id) else { continue }
      lists[place].isJoined = true
      file.policies[index].assign(lists[place].assignments, property, file: lists[place].path)
    }
    for index in file.others.indices {
      guard case .appConfiguration(var configuration) = file.others[index], configuration.assignments == nil,
        let place = list(configuration.id)
      else { continue }
      lists[place].isJoined = true
      configuration.assignments = lists[place].assignments
      if file.lostInOthers.indices.contains(index) { file.lostInOthers[index].remove(property.name) }
      file.others[index] = .appConfiguration(configuration)
    }
    // Of documents of other types, the assignments are out of scope as well.
    if !file.refusals.isEmpty, let place = list(nil) { lists[place].isJoined = true }
  }

  /// The files whose policy is missing.
  public var orphans: [String] { lists.filter { !$0.isJoined }.map(\.path) }
}

extension PolicyFile.Item {
  /// Takes assignments from another file, and lint's findings with them.
  fileprivate mutating func assign(_ assignments: [PolicyAssignment], _ property: PolicyProperty, file: String) {
    policy[property] = .value(.assignments(assignments))
    lost.remove(property.name)
    let found = PolicyLint.findings(in: policy, lacking: lost)
    func isSame(_ one: PolicyFinding, _ other: PolicyFinding) -> Bool {
      one.rule == other.rule && one.setting == other.setting && one.message == other.message
    }
    let kept = findings.filter { finding in
      PolicyRule.exports.contains(finding.rule) || found.contains { isSame($0, finding) }
    }
    findings =
      kept
      + found.filter { finding in !kept.contains { isSame($0, finding) } }.map { finding in
        var finding = finding
        finding.file = file
        return finding
      }
  }
}
