import AppProtection
import JSON
import PropertyList

/// A device's record of its policies: a diagnostic dump as JSON or as a property list, or lines of names and values as
/// Edge shows them under `about:intunehelp`.
///
/// ```swift
/// let document = try DeviceDocument.read(bytes, file: "dump.json")
/// for item in document.policies { print(item.path, item.policy.findings) }
/// ```
///
/// A dump may contain other data and several policies, one for each app or account. A policy is any object that has
/// documented settings but no member of Graph: at least two settings, or nothing else, or at least one under a member
/// `IntuneMAMPolicies`. Lines that are not settings are skipped; lines with members of Graph are rejected, because they
/// are part of its JSON and only some of its names resemble those of a device.
public struct DeviceDocument: Equatable, Sendable {
  /// A policy and its place.
  public struct Item: Equatable, Sendable {
    /// The policy.
    public let policy: DevicePolicy
    /// The path from the document's outermost value; empty if the policy is the document itself.
    public let path: String
    /// Where the policy begins; `nil` for lines.
    public let place: DocumentPlace?
  }

  /// The form of a dump.
  public enum Format: String, Equatable, Sendable {
    /// JSON.
    case json
    /// A property list, as XML or binary.
    case propertyList
    /// Lines of names and values.
    case lines
  }

  /// The policies in the order of the document.
  public private(set) var policies: [Item] = []
  /// The form of the document.
  public let format: Format

  /// Reads a dump.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` if the file has none of the three forms or contains no policy.
  public static func read(_ bytes: [UInt8], file: String? = nil) throws(PolicyDocumentError) -> DeviceDocument {
    do throws(PolicyDocumentError) {
      switch DocumentForm(of: bytes) {
      case .propertyList:
        return try DeviceDocument(try Self.propertyList(bytes).root)
      case .json:
        let json = try PolicyDocumentError.translate { () throws(JSONError) in try JSONDocument.parse(bytes) }
        return try DeviceDocument(json.root)
      case .lines: return try DeviceDocument(lines: bytes)
      }
    } catch {
      var error = error
      error.file = file
      throw error
    }
  }

  /// Extracts the policies from a JSON dump.
  init(_ root: JSONNode) throws(PolicyDocumentError) {
    format = .json
    find(in: root.value, root.path, name: "")
    guard policies.isEmpty else { return }
    throw Self.noPolicy(at: root.position)
  }

  private mutating func find(in value: JSONValue, _ path: JSONPath, name: String) {
    if let elements = value.array {
      for (index, element) in elements.enumerated() {
        find(in: element, path.appending(.element(index)), name: name)
      }
      return
    }
    guard let object = value.object else { return }
    let scalars = Self.scalars(of: object)
    if DeviceNames(of: object, scalars).arePolicy(under: name) {
      let entries = scalars.map {
        DeviceEntry(name: $0.name, value: DeviceValue($0.value), place: DocumentPlace($0.position))
      }
      append(entries, path: path.components.isEmpty ? "" : "\(path)", place: DocumentPlace(value.position))
    }
    for member in object.members { find(in: member.value, path.appending(.member(member.name)), name: member.name) }
  }

  private static func scalars(of object: JSONObject) -> [JSONObject.Member] {
    object.members.filter { $0.value.object == nil && $0.value.array == nil }
  }

  /// Whether the JSON is a device's dump rather than a Graph document.
  static func recognizes(_ value: JSONValue, name: String = "") -> Bool {
    if let elements = value.array { return elements.contains { recognizes($0, name: name) } }
    guard let object = value.object, object["@odata.type"] == nil else { return false }
    return DeviceNames(of: object, scalars(of: object)).arePolicy(under: name)
      || object.members.contains { recognizes($0.value, name: $0.name) }
  }

  private static func propertyList(_ bytes: [UInt8]) throws(PolicyDocumentError) -> PropertyList {
    do throws(PropertyListError) {
      return try PropertyList.read(bytes)
    } catch {
      throw PolicyDocumentError(error)
    }
  }

  private init(_ root: PropertyListValue) throws(PolicyDocumentError) {
    format = .propertyList
    find(in: root, PropertyListPath(), name: "")
    guard policies.isEmpty else { return }
    throw Self.noPolicy(at: .none)
  }

  private mutating func find(in value: PropertyListValue, _ path: PropertyListPath, name: String) {
    if let elements = value.array {
      for (index, element) in elements.enumerated() {
        find(in: element, path.appending(.element(index)), name: name)
      }
      return
    }
    guard let dictionary = value.dictionary else { return }
    let scalars = dictionary.entries.filter { $0.value.dictionary == nil && $0.value.array == nil }
    let names = DeviceNames(settings: scalars.map(\.key), all: dictionary.entries.map(\.key))
    if names.arePolicy(under: name) {
      let entries = scalars.map {
        DeviceEntry(name: $0.key, value: DeviceValue($0.value), place: DocumentPlace($0.position))
      }
      append(entries, path: path.components.isEmpty ? "" : "\(path)", place: DocumentPlace(value.position))
    }
    for entry in dictionary.entries { find(in: entry.value, path.appending(.key(entry.key)), name: entry.key) }
  }

  /// The most undocumented settings read from one policy; more would not be more informative.
  static let mostUnknown = 1_000

  /// Adds a policy. Of several settings with the same name, the last counts, in its place.
  private mutating func append(_ entries: [DeviceEntry], path: String, place: DocumentPlace?) {
    var seen: Set<String> = []
    var unknown = 0
    let kept = entries.reversed().filter { seen.insert($0.name.lowercased()).inserted }.reversed().filter { entry in
      guard DeviceSetting.named(entry.name) == nil else { return true }
      unknown += 1
      return unknown <= Self.mostUnknown
    }
    policies.append(Item(policy: DevicePolicy(kept), path: path, place: place))
  }

  private static func noPolicy(at position: JSONPosition) -> PolicyDocumentError {
    PolicyDocumentError(
      .unknownType, at: position, path: JSONPath(), message: "no policy of a device is in here",
      remedy: "give a dump with settings such as AppSharingToLevel, or the JSON of a policy from Graph")
  }

  // MARK: Lines

  private init(lines bytes: [UInt8]) throws(PolicyDocumentError) {
    format = .lines
    var entries: [DeviceEntry] = []
    var number = 0
    for line in DocumentForm.text(of: bytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if let entry = Self.entry(line, number) { entries.append(entry) }
    }
    let names = DeviceNames(settings: entries.map(\.name), all: entries.map(\.name))
    if let name = names.foreign, let entry = entries.first(where: { $0.name == name }) {
      throw Self.fragment(name, entry.place)
    }
    guard names.arePolicy(under: "") else { throw Self.noPolicy(at: JSONPosition(line: 1, column: 1, offset: 0)) }
    append(entries, path: "", place: nil)
  }

  private static func fragment(_ name: String, _ place: DocumentPlace?) -> PolicyDocumentError {
    var position = JSONPosition.none
    if case .text(let line, let column) = place { position = JSONPosition(line: line, column: column, offset: 0) }
    return PolicyDocumentError(
      .unknownType, at: position, path: JSONPath(),
      message: "\(JSONExcerpt.plain(name)) is a member of a policy in Graph, and the text is not an object in { }",
      remedy: "give the whole object as JSON, from { to }, with its \"@odata.type\"")
  }

  /// Parses a line such as `Name<TAB>value`, `Name=value`, `Name = "value";` or `Name: value`; `nil` for other lines.
  private static func entry(_ line: Substring, _ number: Int) -> DeviceEntry? {
    let start = line.drop { $0 == " " || $0 == "\t" || $0 == "\"" }
    let name = start.prefix { $0.isASCII && ($0.isLetter || $0.isWholeNumber) }
    var rest = start.dropFirst(name.count).drop { $0 == "\"" || $0 == " " }
    guard !name.isEmpty, let separator = rest.first, "=:\t".contains(separator) else { return nil }
    rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    var value = rest
    while let last = value.last, last == " " || last == "\t" || last == "," { value.removeLast() }
    if value.first == "\"" {
      // A semicolon ends the line only after a quote; elsewhere it ends the last entry of a list.
      if value.last == ";" { value.removeLast() }
      value.removeFirst()
      if value.last == "\"" { value.removeLast() }
    } else if value.last == ";", !value.dropLast().contains(";") {
      value.removeLast()
    }
    let column = line.count - start.count + 1
    return DeviceEntry(name: String(name), value: .text(String(value)), place: .text(line: number, column: column))
  }
}
