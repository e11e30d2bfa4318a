import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// The edits that a command line asks for, of the events of one journal.
package struct EditInput {
  /// What is different.
  let edits: any EditedHistory
  /// The same in words, as they were typed.
  private(set) var words: [String] = []
  /// The accounts that they name.
  private(set) var accounts: [UInt64] = []
  /// The edits that only the domain has.
  private let own: (any OwnEdits)?
  private let context: CommandContext
  private let journal: JournalInput
  /// Where the imagined history can begin.
  private let beginning: HistoryBeginning
  /// The last event that is known.
  private let last: UInt64

  /// Reads the edits, in the order in which they apply.
  ///
  /// - Parameter own: The edits that only the domain has.
  init(
    _ edits: any EditedHistory, _ own: (any OwnEdits)?, of journal: JournalInput, from beginning: HistoryBeginning,
    upTo last: UInt64, _ context: CommandContext
  ) throws(Failure) {
    (self.edits, self.own, self.context) = (edits, own, context)
    (self.journal, self.beginning, self.last) = (journal, beginning, last)
    for option in ["drop", "replace"] + (own?.options ?? []) + ["move", "insert"] {
      let values = context.arguments.values(of: option)
      for value in values {
        words.append("--\(option) \(value)")
        try apply(option, value)
      }
      if !values.isEmpty { try own?.finish(option, in: beginning, edits) }
    }
  }

  private mutating func apply(_ option: String, _ value: String) throws(Failure) {
    switch option {
    case "drop":
      let dropped = try dropped(value)
      try Self.change(option) { () throws(EditError) in
        switch dropped {
        case .events(let events): try edits.drop(events)
        case .condition(let condition): try edits.drop(where: condition)
        case .types(let pattern): try edits.drop(types: pattern)
        }
      }
    case "replace":
      let (place, text) = try Self.split(option, value, "POSITION=EVENT")
      let sequence = try event(place, option)
      let content = try content(text, option, at: sequence - 1)
      try Self.change(option) { () throws(EditError) in try edits.replace(sequence, with: content) }
    case "move":
      let (place, target) = try Self.split(option, value, "POSITION=POSITION")
      let move = try mover(of: try event(place, option))
      let sequence = try self.place(target, option)
      try Self.change(option) { () throws(EditError) in try move(sequence) }
    case "insert":
      let (place, text) = try Self.split(option, value, "POSITION=EVENT")
      let sequence = try self.place(place, option)
      let content = try content(text, option, at: sequence)
      try Self.change(option) { () throws(EditError) in try edits.insert(content, after: sequence) }
    case _: accounts += try own?.apply(option, value, of: journal, to: edits, context) ?? []
    }
  }

  /// Applies an edit; what is wrong with it names the option.
  package static func change(_ option: String, _ body: () throws(EditError) -> Void) throws(Failure) {
    do throws(EditError) {
      try body()
    } catch {
      throw Failure(.wrongUse, "--\(option): \(error)", next: "\(Tool.name) help whatif")
    }
  }

  /// The two sides of the first equals sign of a value.
  package static func split(_ option: String, _ value: String, _ form: String) throws(Failure) -> (String, String) {
    guard let sign = value.firstIndex(of: "=") else {
      throw Failure(.wrongUse, "--\(option) \(value): write it as \(form)", next: "\(Tool.name) help whatif")
    }
    return (String(value[..<sign]), String(value[value.index(after: sign)...]))
  }

  // MARK: Places

  /// The event at a position.
  private func event(_ word: String, _ option: String) throws(Failure) -> UInt64 {
    let position = try PositionInput.position(word)
    let resolver = try journal.positions.resolver(for: [position])
    let sequence: UInt64
    do throws(PositionError) {
      sequence = try resolver.event(position)
    } catch {
      throw journal.positions.failure(error)
    }
    return try within(sequence, option, isEvent: true)
  }

  /// The event after which something goes.
  private func place(_ word: String, _ option: String) throws(Failure) -> UInt64 {
    let position = try PositionInput.position(word)
    if position == .start { return beginning.sequence }
    return try within(
      position == .end ? last : try journal.positions.sequence(of: position, mayPrecede: true, context), option,
      isEvent: false)
  }

  private func within(_ sequence: UInt64, _ option: String, isEvent: Bool) throws(Failure) -> UInt64 {
    let first = beginning.sequence + (isEvent ? 1 : 0)
    guard sequence >= first else {
      if let from = context.arguments.value(of: "from") {
        throw Failure(
          .wrongUse,
          "--\(option): event \(sequence) comes before event \(beginning.sequence + 1), with which the other history begins (--from \(from))",
          next: "\(Tool.name) whatif with an earlier --from, or without one")
      }
      throw Failure(
        .wrongUse,
        "--\(option): the state before event \(beginning.sequence + 1) is that of events that are not kept, so that no event before it can be edited",
        next: "\(Tool.name) log \(journal.path.shellWord)")
    }
    guard sequence <= last else {
      throw Failure(
        .wrongUse, "--\(option): event \(sequence) comes after event \(last), with which what is read ends",
        next: "\(Tool.name) log \(journal.path.shellWord)")
    }
    return sequence
  }

  /// What moves an event.
  private func mover(of sequence: UInt64) throws(Failure) -> (UInt64) throws(EditError) -> Void {
    let move = try Failure.translating(
      journal: journal.path, try edits.mover(of: sequence, in: journal.history))
    guard let move else {
      throw Failure(
        .partial, "\(journal.path): event \(sequence) is lost", next: "\(Tool.name) log \(journal.path.shellWord)")
    }
    return move
  }

  // MARK: What is dropped

  private enum Dropped {
    case events(ClosedRange<UInt64>)
    case condition(FilterExpression)
    case types(Glob)
  }

  /// A condition, a pattern of types, or a position or a range.
  private func dropped(_ value: String) throws(Failure) -> Dropped {
    if value.contains("=") {
      do throws(FilterError) {
        let condition = try FilterExpression(value, fields: FilterInput.fields)
        if let field = condition.tests.map(\.field).first(where: { $0.needsStates }) {
          throw FilterError(
            "\(field.rawValue) depends on states, which differ in an imagined history",
            remedy: "use \(FilterInput.fields.filter { !$0.needsStates }.map(\.rawValue).joined(separator: ", "))")
        }
        return .condition(condition)
      } catch {
        throw Failure(error, option: "--drop")
      }
    }
    if value.contains("*") || value.contains("?") {
      let pattern = Glob(value)
      let names = journal.domain.entries.map(\.name)
      guard names.contains(where: pattern.matches) else {
        let word = String(value.prefix { $0 != "." })
        let near = EditDistance.nearest(to: word, in: names.map { String($0.prefix { $0 != "." }) }, limit: 1).first
        throw Failure(
          .wrongUse, "--drop \(value) matches no event type" + (near.map { "; nearest: \($0).*" } ?? ""),
          next: "\(Tool.name) schema")
      }
      return .types(pattern)
    }
    let range = try PositionInput.range(value)
    let (lower, upper, reasonForNothing) = try journal.positions.bounds(of: range)
    if let reasonForNothing {
      throw Failure(.wrongUse, "--drop \(value): \(reasonForNothing)", next: "\(Tool.name) help positions")
    }
    let first = max(lower, beginning.sequence + 1)
    let end = min(upper ?? last, last)
    guard first <= end else {
      let place =
        context.arguments.value(of: "from").map { " after the beginning of the other history (--from \($0))" } ?? ""
      throw Failure(.wrongUse, "--drop \(value): no event lies there\(place)", next: "\(Tool.name) help positions")
    }
    // A range may begin before the other history does, unless what lies there is not kept.
    let isCut = lower == 1 || context.arguments.isGiven("from")
    return .events(try within(isCut ? first : lower, "drop", isEvent: true)...end)
  }

  // MARK: What is put in

  /// An event in JSON, or what the domain has in its place; with @ before it, the file that holds it; - for standard input.
  private mutating func content(_ text: String, _ option: String, at sequence: UInt64) throws(Failure) -> EditContent {
    let bytes: [UInt8]
    var name = "--\(option)"
    if text == "-" || text.hasPrefix("@") {
      name = text == "-" ? "-" : String(text.dropFirst())
      bytes = try FileInput.bytes(of: name, context)
    } else {
      bytes = Array(text.utf8)
    }
    do throws(JSONError) {
      let node = try JSONDocument.parse(bytes).root
      guard let own, try !node.object().members.contains(where: { $0.name == "type" || $0.name == "data" }) else {
        let content = try edits.content(node)
        accounts += content.accounts
        return content
      }
      return try own.command(node, in: state(after: sequence))
    } catch {
      throw Failure(.wrongUse, "\(name): \(error)", next: "\(Tool.name) help whatif")
    }
  }

  /// The state of the real history there, for what a step refers to; the one at the beginning if it is unknown.
  private func state(after sequence: UInt64) -> AnyState {
    guard sequence > beginning.sequence else { return beginning.state }
    return (try? journal.history.state(at: .sequence(sequence)).state) ?? beginning.state
  }
}

extension FilterTest.Field {
  /// Whether a test of it needs the states around an event.
  fileprivate var needsStates: Bool {
    switch self {
    case .path, .finding, .text: true
    case .type, .account, .seq, .cause, .process: false
    }
  }
}
