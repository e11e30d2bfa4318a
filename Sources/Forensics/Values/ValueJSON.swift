import EventSourcing
import JSON
import PlainText

/// The JSON form of state values and event fields, defined here only.
///
/// Numbers stay numbers; times are RFC 3339 in UTC, durations ISO 8601, bytes hexadecimal digits. A withheld value
/// becomes an object with the reason: `{"redacted":"account"}` or `{"redacted":"secret"}`, and one that cannot be opened
/// `{"redacted":"sealed"}` or `{"redacted":"erased"}`; an undecodable one becomes
/// `{"undecodable":"…","bytes":"…"}`.
public struct ValueJSON: Sendable {
  /// Decides which values are shown.
  public let redaction: Redaction

  /// `redaction` decides which values are shown.
  public init(_ redaction: Redaction) {
    self.redaction = redaction
  }

  /// A state value; `null` for none.
  public func json(_ value: StateValue?) -> JSONValue {
    switch value {
    case nil, .unset?: .null
    case .bool(let flag)?: .bool(flag)
    case .integer(let number)?: .number(number)
    case .name(let text)?, .text(let text)?: redaction.shown(text).map(JSONValue.string) ?? withheld(.account)
    case .personal(let text, let privacy)?:
      redaction.shown(text, privacy).map(JSONValue.string) ?? withheld(privacy == .secret ? .secret : .account)
    case .sealed(mark: _, let isErased)?: withheld(as: isErased ? "erased" : "sealed")
    case .time(let nanoseconds)?: .string(CivilTime(nanoseconds: nanoseconds).text)
    case .duration(let nanoseconds)?: .string(SpanText.iso8601(nanoseconds: nanoseconds))
    case .sequence(let sequence)?: .number(sequence)
    case .list(let values)?: .array(values.map { json($0) })
    }
  }

  /// Appends the text of ``json(_:)-(StateValue?)``.
  package func append(_ value: StateValue?, to bytes: inout [UInt8]) {
    func quote(_ text: (inout [UInt8]) -> Void) {
      bytes.append(UInt8(ascii: "\""))
      text(&bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    switch value {
    case nil, .unset?: bytes.append(literal: "null")
    case .bool(let flag)?: bytes.append(literal: flag ? "true" : "false")
    case .integer(let number)?: bytes.append(number)
    case .sequence(let sequence)?: bytes.append(sequence)
    case .name(let name)? where redaction.shows(text: name): JSONEscaping.append(name, to: &bytes)
    case .time(let nanoseconds)?: quote(CivilTime(nanoseconds: nanoseconds).appendText)
    case .duration(let nanoseconds)?: quote { SpanText.append(iso8601: nanoseconds, to: &$0) }
    // Boxed, and the form is decided there.
    case .name?, .text?, .personal?, .sealed?, .list?: bytes.append(json(value).text(style: .compact))
    }
  }

  /// Appends a change of the state: `{"path":"/process/isRunning","before":false,"after":true}`.
  package func append(_ change: StateChange, to bytes: inout [UInt8]) {
    bytes.append(literal: "{\"path\":")
    JSONEscaping.append(redaction.shown(statePath: change.path), to: &bytes)
    bytes.append(literal: ",\"before\":")
    append(change.before, to: &bytes)
    bytes.append(literal: ",\"after\":")
    append(change.after, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  /// A state, or part of one, as nested objects.
  ///
  /// - Parameter path: Where in the state the tree is.
  public func json(_ tree: StateTree, under path: String = "/") -> JSONValue {
    json(tree, redaction.names(at: path))
  }

  private func json(_ tree: StateTree, _ names: KeyedNames) -> JSONValue {
    switch tree {
    case .value(let value): json(value)
    case .members(let members):
      .object(
        members.enumerated().map { index, member in
          let name = redaction.shown(name: member.name, in: names)
          // Names of members differ.
          return JSONObject.Member(
            name == member.name ? name : "\(name) \(index + 1)", json(member.tree, names[member.name]))
        })
    }
  }

  /// The fields of a message as an object; unknown fields are collected in its member `unknownFields`.
  public func json(_ message: MessageFields) -> JSONValue {
    var members: [JSONObject.Member] = []
    var unknown: [JSONValue] = []
    for field in message.fields {
      guard let name = field.name else {
        let values = field.values.map { json($0, field.privacy) }
        unknown.append(
          .object([
            JSONObject.Member("number", .number(field.number)),
            JSONObject.Member("value", values.count == 1 ? values[0] : .array(values)),
          ]))
        continue
      }
      let values = field.values.map { json($0, field.privacy) }
      members.append(JSONObject.Member(name, field.isRepeated ? .array(values) : values.first ?? .null))
    }
    if !unknown.isEmpty { members.append(JSONObject.Member("unknownFields", .array(unknown))) }
    if let error = message.error { members.append(JSONObject.Member("undecodable", .string("\(error)"))) }
    return .object(members)
  }

  /// A single value of an event's field.
  public func json(_ leaf: FieldLeaf) -> JSONValue { json(leaf.value, leaf.privacy) }

  private func json(_ value: MessageFields.Value, _ privacy: Privacy) -> JSONValue {
    if case .message(let message) = value { return json(message) }
    if case .sealed = value { return json(StateValue(value)) }
    guard redaction.shows(privacy) else { return withheld(privacy) }
    switch value {
    case .unsigned(let number): return .number(number)
    case .json(let text):
      guard let text = redaction.shown(json: text) else { return withheld(.account) }
      return (try? JSONDocument.parse(Array(text.utf8)).root.value) ?? .string(text)
    case .unknown(_, let bytes): return .object([JSONObject.Member("bytes", .string(ValueText.hexadecimal(bytes)))])
    case .undecodable(let bytes, let error):
      return .object([
        JSONObject.Member("undecodable", .string("\(error)")),
        JSONObject.Member(
          "bytes", redaction.revealsAccounts ? .string(ValueText.hexadecimal(bytes)) : withheld(.account)),
      ])
    case .bool, .signed, .text, .bytes, .guid, .sealed, .time, .duration, .double, .date, .reference, .sequence,
      .enumeration, .message:
      return json(StateValue(value))
    }
  }

  private func withheld(_ privacy: Privacy) -> JSONValue {
    withheld(as: privacy == .secret ? "secret" : "account")
  }

  private func withheld(as reason: String) -> JSONValue {
    .object([JSONObject.Member("redacted", .string(reason))])
  }
}
