/// A valid command line: every option and positional satisfies the table.
///
/// Options are looked up by their long names. Passing a name that neither the command nor the tool declares is a
/// caller's bug, which stops a debug build.
public struct ParsedArguments: Equatable, Sendable {
  /// The command that was chosen.
  public let command: CommandDescription
  /// The name of the action that was chosen; `nil` where the command has none.
  public let action: String?
  /// The words that are not options, in order.
  public let positionals: [String]
  /// The options as given, in order, for commands where the order across options matters.
  public let occurrences: [Occurrence]

  /// One use of an option.
  public struct Occurrence: Equatable, Sendable {
    /// The option's long name without dashes.
    public let option: String
    /// Its value; `nil` for a flag.
    public let value: String?

    /// `value` is `nil` for a flag.
    public init(_ option: String, _ value: String?) {
      self.option = option
      self.value = value
    }
  }

  /// The tool's name, for error messages.
  let toolName: String
  private let globalOptions: [OptionDescription]
  /// The words that the command or its action takes.
  private let taken: [PositionalDescription]
  /// The words assigned to each of the command's positionals.
  private let assignment: [[String]]

  init(
    tool: CommandLineTool, command: CommandDescription, action: CommandDescription?, assignment: [[String]],
    occurrences: [Occurrence]
  ) {
    toolName = tool.name
    globalOptions = tool.globalOptions
    self.command = command
    self.action = action.map { String($0.name.dropFirst(command.name.count + 1)) }
    taken = (action ?? command).positionals
    self.assignment = assignment
    positionals = assignment.flatMap(\.self)
    self.occurrences = occurrences
  }

  /// The words assigned to the positional with this name, in order.
  ///
  /// Words are assigned from the left. Each positional takes as many as it may while leaving enough for those that
  /// require one.
  public func positionals(_ name: String) -> [String] {
    let index = taken.firstIndex { $0.name == name }
    assert(index != nil, "\(command.name) has no positional \(name)")
    return index.map { assignment[$0] } ?? []
  }

  /// The first word assigned to the positional with this name; `nil` if there is none.
  public func positional(_ name: String) -> String? {
    positionals(name).first
  }

  /// Every value given for an option, in order; if none was given, its default, if any.
  public func values(of option: String) -> [String] {
    let given = occurrences.filter { $0.option == option }.compactMap(\.value)
    guard given.isEmpty, let standard = description(of: option)?.defaultValue else { return given }
    return [standard]
  }

  /// The last value given for an option, or its default; `nil` if there is neither.
  public func value(of option: String) -> String? {
    values(of: option).last
  }

  /// Whether a flag was given.
  public func flag(_ option: String) -> Bool {
    isGiven(option)
  }

  /// Whether an option was given explicitly.
  public func isGiven(_ option: String) -> Bool {
    _ = description(of: option)
    return occurrences.contains { $0.option == option }
  }

  /// The value of an option as a number; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - option: The option's long name.
  ///   - range: The accepted range, if narrower than the option's ``ValueRule`` or if the option has none.
  /// - Throws: ``ArgumentError/Code/unacceptedValue(of:value:expected:)`` if the value is not a whole number in decimal
  ///   digits or lies outside `range`. Never throws without `range` for a value that the option's own rule accepted.
  public func integer(of option: String, in range: ClosedRange<Int> = .min ... .max) throws(ArgumentError) -> Int? {
    guard let word = value(of: option) else { return nil }
    return try integer(word, named: "--" + option, in: range)
  }

  /// A positional word, or part of one, as a number.
  ///
  /// - Parameters:
  ///   - word: The word to convert.
  ///   - name: The name used in the error, such as the positional's.
  ///   - range: The accepted range.
  /// - Throws: ``ArgumentError/Code/unacceptedValue(of:value:expected:)``.
  public func integer(
    _ word: String, named name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(ArgumentError) -> Int {
    if let number = Int(word), range.contains(number) { return number }
    let expected = ValueRule.integer(range).phrase ?? "a whole number"
    throw error(.unacceptedValue(of: name, value: word, expected: expected))
  }

  /// An error of this command, in the common form, for a reason that the table cannot know.
  ///
  /// - Parameters:
  ///   - reason: A phrase without a full stop that names the option or word at fault.
  ///   - nearest: Valid names similar to the one typed, as ``/PlainText/EditDistance/nearest(to:in:limit:)`` finds them.
  ///   - next: What to type next; `nil` means the command's help.
  public func refused(_ reason: String, nearest: [String] = [], next: String? = nil) -> ArgumentError {
    error(.refused(reason), nearest: nearest, next: next)
  }

  private func error(_ code: ArgumentError.Code, nearest: [String] = [], next: String? = nil) -> ArgumentError {
    let subject = ([command.name] + (action.map { [$0] } ?? [])).joined(separator: " ")
    return ArgumentError(
      code, place: "\(toolName) \(subject)", nearest: nearest, next: next ?? "\(toolName) help \(subject)")
  }

  private func description(of option: String) -> OptionDescription? {
    let found = command.allOptions.first { $0.name == option } ?? globalOptions.first { $0.name == option }
    assert(found != nil, "\(command.name) has no option \(option)")
    return found
  }
}
