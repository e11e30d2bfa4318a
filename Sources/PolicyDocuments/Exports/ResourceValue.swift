import AppProtection
import GraphDocuments
import JSON

/// A value of a property as a resource's schema has it: durations as time spans of .NET, sets and some texts as lists, pairs as one
/// text, and a choice that is not made as an empty text.
struct ResourceValue {
  /// The value as Graph has it; `nil` where the resource says nothing.
  let graph: JSONValue?

  /// - Parameter kind: The kind of the property; `nil` where the resource is no policy.
  init(_ value: JSONValue, of name: String, _ kind: PolicyProperty.Kind?) {
    func text(_ text: String) -> JSONValue { JSONValue(.string(text), at: value.position) }
    let texts = value.array.flatMap { elements in
      elements.allSatisfy { $0.string != nil } ? elements.compactMap(\.string) : nil
    }
    switch kind {
    case .duration: graph = value.string.flatMap(RestatedValue.duration).map(text) ?? Self.unlessEmpty(value)
    case .choice, .flag, .number, .date: graph = Self.unlessEmpty(value)
    case .flags:
      let set = texts.map { $0.map { $0.filter { $0 != " " } }.joined(separator: ",") }
      graph = Self.unlessEmpty(set.map(text) ?? value)
    // A list of models is one text; the code writes an empty list where there is none.
    case .text where texts != nil:
      let list = (texts ?? []).joined(separator: ";")
      graph = list.isEmpty ? JSONValue(.null, at: value.position) : text(list)
    case .pairs where texts != nil:
      graph = JSONValue(
        .array((texts ?? []).compactMap { Self.pair($0, of: name, at: value.position) }), at: value.position)
    case nil where name == "targetedAppManagementLevels" || name == "appGroupType": graph = Self.unlessEmpty(value)
    case .text, .choices, .texts, .pairs, .apps, .assignments, nil: graph = value
    }
  }

  private static func unlessEmpty(_ value: JSONValue) -> JSONValue? {
    guard value.string == "" else { return value }
    return Optional.none
  }

  /// `Default:skype;tel`, or on Android `com.example.app|Name`: the first mark separates name and value.
  private static func pair(_ text: String, of name: String, at position: JSONPosition) -> JSONValue? {
    let mark: Character = name == "exemptedAppProtocols" ? ":" : "|"
    let parts = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    // The code writes the mark alone where the list is missing.
    guard text != String(mark) else { return nil }
    let members = [JSONObject.Member("name", .string(parts[0]))] + parts.dropFirst().map { .init("value", .string($0)) }
    return JSONValue(.object(JSONObject(members)), at: position)
  }
}
