/// A command line that fits its command: every option and positional was checked against the table.
///
/// Options are asked for by their long names. A name that neither the command nor the tool declares is a caller's bug,
/// which stops a debug build.
public struct ParsedArguments: Equatable, Sendable {
  /// The command that was chosen.
  public let command: CommandDescription
  /// The words that are not options, in their order.
  public let positionals: [String]
  /// The options as they were given, in their order, for commands to which the order across options matters.
  public let occurrences: [Occurrence]

  /// An option that was given.
  public struct Occurrence: Equatable, Sendable {
    /// The option's long name without dashes.
    public let option: String
    /// Its value; `nil` for a flag.
    public let value: String?

    /// Creates an occurrence.
    public init(_ option: String, _ value: String?) {
      self.option = option
      self.value = value
    }
  }

  /// The tool's name, for errors.
  let toolName: String
  private let globalOptions: [OptionDescription]
  /// For each of the command's positionals, the words it got.
  private let assignment: [[String]]

  init(
    tool: CommandLineTool, command: CommandDescription, assignment: [[String]], occurrences: [Occurrence]
  ) {
    toolName = tool.name
    globalOptions = tool.globalOptions
    self.command = command
    self.assignment = assignment
    positionals = assignment.flatMap(\.self)
    self.occurrences = occurrences
  }

  /// The words that the positional of this name got, in their order.
  ///
  /// Words are dealt out from the left, each positional taking as many as it may while enough remain for those that
  /// must have one.
  public func positionals(_ name: String) -> [String] {
    let index = command.positionals.firstIndex { $0.name == name }
    assert(index != nil, "\(command.name) has no positional \(name)")
    return index.map { assignment[$0] } ?? []
  }

  /// The first word of the positional of this name; `nil` when it got none.
  public func positional(_ name: String) -> String? {
    positionals(name).first
  }

  /// Every value that was given for an option, in their order; its default alone when none was given and there is one.
  public func values(of option: String) -> [String] {
    let given = occurrences.filter { $0.option == option }.compactMap(\.value)
    guard given.isEmpty, let standard = description(of: option)?.defaultValue else { return given }
    return [standard]
  }

  /// The last value that was given for an option, or its default; `nil` when there is neither.
  public func value(of option: String) -> String? {
    values(of: option).last
  }

  /// Whether a flag was given.
  public func flag(_ option: String) -> Bool {
    isGiven(option)
  }

  /// Whether an option was given, as opposed to holding its default.
  public func isGiven(_ option: String) -> Bool {
    _ = description(of: option)
    return occurrences.contains { $0.option == option }
  }

  /// The value of an option as a number; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - option: The option's long name.
  ///   - range: What is accepted, where it is narrower than the option's ``ValueRule`` or the option has none.
  /// - Throws: ``ArgumentError/Code/unacceptedValue(of:value:expected:)`` when the value is no whole number in decimal
  ///   digits, or lies outside `range`. A value that the option's own rule accepted never throws without `range`.
  public func integer(of option: String, in range: ClosedRange<Int> = .min ... .max) throws(ArgumentError) -> Int? {
    guard let word = value(of: option) else { return nil }
    return try integer(word, named: "--" + option, in: range)
  }

  /// A positional word, or a part of one, as a number.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - name: What the error calls it, such as the positional's name.
  ///   - range: What is accepted.
  /// - Throws: ``ArgumentError/Code/unacceptedValue(of:value:expected:)``.
  public func integer(
    _ word: String, named name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(ArgumentError) -> Int {
    if let number = Int(word), range.contains(number) { return number }
    let expected = ValueRule.integer(range).phrase ?? "a whole number"
    throw error(.unacceptedValue(of: name, value: word, expected: expected))
  }

  /// An error of this command in the form of all others, for a reason that the table cannot know.
  ///
  /// - Parameters:
  ///   - reason: A phrase without a full stop, naming the option or word at fault.
  ///   - nearest: Valid names that resemble what was typed, such as ``/Spelling/EditDistance/nearest(to:in:limit:)`` finds.
  ///   - next: What to type next; the command's help when `nil`.
  public func refused(_ reason: String, nearest: [String] = [], next: String? = nil) -> ArgumentError {
    error(.refused(reason), nearest: nearest, next: next)
  }

  private func error(_ code: ArgumentError.Code, nearest: [String] = [], next: String? = nil) -> ArgumentError {
    ArgumentError(
      code, place: "\(toolName) \(command.name)", nearest: nearest, next: next ?? "\(toolName) help \(command.name)")
  }

  private func description(of option: String) -> OptionDescription? {
    let found = command.options.first { $0.name == option } ?? globalOptions.first { $0.name == option }
    assert(found != nil, "\(command.name) has no option \(option)")
    return found
  }
}
