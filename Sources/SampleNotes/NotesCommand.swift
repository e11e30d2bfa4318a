/// A command of the app or of its share extension: its words, what they mean, and the code that carries it out.
@MainActor
struct NotesCommand<Performer> {
  private let name: String
  /// The words after the name; those in brackets may be left out, and the last one with dots takes the rest of the line.
  private let parameters: String
  private let meaning: String
  private let body: @MainActor (Performer, [String]) async throws -> Void

  init(
    _ name: String, _ parameters: String, _ meaning: String,
    _ body: @escaping @MainActor (Performer, [String]) async throws -> Void
  ) {
    self.name = name
    self.parameters = parameters
    self.meaning = meaning
    self.body = body
  }

  /// Carries a command out, and says what went wrong.
  static func carryOut(
    _ words: [String], of commands: [NotesCommand], in performer: Performer, _ terminal: Terminal
  ) async -> ExitStatus {
    do {
      guard let command = commands.first(where: { $0.name == words.first }) else {
        throw UsageError("there is no command \(words.first ?? "")")
      }
      let arguments = Array(words.dropFirst())
      guard command.takes(arguments.count) else {
        throw UsageError("write: \(command.name) \(command.parameters)")
      }
      try await command.body(performer, arguments)
      return .done
    } catch {
      return terminal.report(error)
    }
  }

  private func takes(_ count: Int) -> Bool {
    let words = parameters.split(separator: " ")
    let required = words.count { !$0.hasPrefix("[") }
    return count >= required && (count <= words.count || parameters.hasSuffix("..."))
  }

  /// A line of help for each.
  static func help(_ commands: [NotesCommand]) -> String {
    let usages = commands.map { "\($0.name) \($0.parameters)" }
    let width = usages.map(\.count).max() ?? 0
    return zip(usages, commands).map { usage, command in
      "  \(usage)\(String(repeating: " ", count: width - usage.count))  \(command.meaning)"
    }.joined(separator: "\n")
  }
}
