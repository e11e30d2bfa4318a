import EventSourcing
import PlainText

extension PathPattern {
  /// Refuses a value that is compared with values here and that none of them can have: a misspelt name would never be equal.
  ///
  /// What can stand in a place is known by the last name of its path: where the state's fields of this name are all
  /// enumerations or flags, it is one of their names.
  func requirePossible<State: MachineState>(
    _ operand: String, in state: State.Type, column: Int
  ) throws(FilterError) {
    guard let names = names(in: state) else { return }
    // A rule shows with what it is a rule of, as in launch.met.
    let pattern = Glob(operand.split(separator: ".").last.map(String.init) ?? operand)
    // A number without a name shows as itself, or as unknown.
    guard !names.contains(where: pattern.matches), Int64(operand) == nil, !operand.hasPrefix("unknown") else { return }
    let near = EditDistance.nearest(to: operand, in: names, limit: 1).first
    throw FilterError(
      column: column, "no value of \(text) is ever \"\(operand)\"",
      remedy: near.map { "write \($0)" } ?? "write one of \(names.joined(separator: ", "))")
  }

  /// The names that values at this path can have; `nil` where there can be others.
  private func names<State: MachineState>(in state: State.Type) -> [String]? {
    guard let last = text.split(separator: "/").last, Glob(String(last)).isLiteral else { return nil }
    let slices = slices(of: State.sliceNames)
    let descriptors = State.sliceDescriptors
    guard slices.allSatisfy(descriptors.indices.contains) else { return nil }
    let fields = slices.flatMap { descriptors[$0].fields(named: String(last).lowercased()) }
    var names: [String] = []
    for field in fields {
      switch field.type {
      case .enumeration(let enumeration): names += enumeration.members.map(\.name)
      case .bool: names += ["true", "false"]
      case .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence, .message:
        return nil
      }
    }
    return fields.isEmpty ? nil : names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension MessageDescriptor {
  /// The fields with a name in lower case, in this message and those within it.
  fileprivate func fields(named name: String) -> [FieldDescriptor] {
    fields.flatMap { field in
      var found = field.name.lowercased() == name ? [field] : []
      if case .message(let part) = field.type { found += part.fields(named: name) }
      return found
    }
  }
}
