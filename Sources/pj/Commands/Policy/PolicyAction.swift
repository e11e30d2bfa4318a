import CommandLineInterface

/// One action of `pj policy`: its part of the help, the options it takes, and what it does.
struct PolicyAction: Sendable {
  /// The word that selects it.
  let name: String
  /// What it does: one sentence.
  let summary: String
  /// What else the help says of it.
  var discussion: [HelpBlock] = []
  /// The options it takes besides those of every action. Several actions may share one.
  var options: [OptionDescription] = []
  /// Carries it out on the words that name its inputs.
  let run: @Sendable ([String], CommandContext) throws(Failure) -> ExitCode

  /// Every action, in the order of the help.
  static let all = [list, show, diff, combine, effective, lint, level]

  /// Every option of an action, each once.
  static let options = all.flatMap(\.options).reduce(into: [OptionDescription]()) { options, option in
    if !options.contains(option) { options.append(option) }
  }

  /// Rejects an option of other actions.
  func expectOptions(_ context: CommandContext) throws(Failure) {
    for option in Self.options where context.arguments.isGiven(option.name) && !options.contains(option) {
      var names = Self.all.filter { $0.options.contains(option) }.map(\.name)
      let last = names.removeLast()
      let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
      throw Failure(.wrongUse, "--\(option.name) applies to \(list) only", next: "pj help policy")
    }
  }
}

extension OptionDescription {
  /// What `show`, `combine` and `level` otherwise leave out.
  static let everySetting = OptionDescription(
    "all",
    "show, combine: include settings that are not configured. level: what each of several policies lacks.")
}
