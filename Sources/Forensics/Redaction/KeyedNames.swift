import EventSourcing

/// Where the names in a state's paths are keys of rows, and who may see them.
indirect enum KeyedNames: Equatable, Sendable {
  /// The parts have the names of fields, or numbers. Only those are listed that have keys below.
  case fields([String: KeyedNames])
  /// The parts have keys as names, for a class.
  case keys(Privacy, below: KeyedNames)

  /// No keys.
  static let none = KeyedNames.fields([:])

  /// The names in the paths of a state.
  init<State: MachineState>(of state: State.Type) {
    self = .fields(Self.parts(zip(State.sliceNames, State.sliceDescriptors.map(Self.init))))
  }

  private init(_ message: MessageDescriptor) {
    func names(of type: FieldType?) -> KeyedNames {
      if case .message(let inner)? = type { KeyedNames(inner) } else { .none }
    }
    guard let keys = message.keys else {
      self = .fields(Self.parts(message.fields.map { ($0.name, names(of: $0.type)) }))
      return
    }
    var part = message.fields.first?.type
    if let content = keys.content, case .message(let element)? = part {
      part = element.fields.first { $0.number == content }?.type
    }
    self = .keys(keys.privacy, below: names(of: part))
  }

  private static func parts(_ parts: some Sequence<(String, KeyedNames)>) -> [String: KeyedNames] {
    Dictionary(parts.filter { $0.1 != .none }, uniquingKeysWith: { first, _ in first })
  }

  /// Who may see the names of the parts; `nil` where these are no keys.
  var privacy: Privacy? {
    if case .keys(let privacy, below: _) = self { privacy } else { nil }
  }

  /// Whether some keys are not for everyone.
  var hasPersonalKeys: Bool {
    switch self {
    case .fields(let parts): parts.values.contains(where: \.hasPersonalKeys)
    case .keys(let privacy, let below): privacy != .public || below.hasPersonalKeys
    }
  }

  /// The names below a part.
  subscript(name: some StringProtocol) -> KeyedNames {
    switch self {
    case .keys(_, let below): below
    case .fields(let parts):
      // A number is the key of a row, or a place in a list, and what follows are the same fields.
      parts[String(name)] ?? (name.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? self : .none)
    }
  }
}
