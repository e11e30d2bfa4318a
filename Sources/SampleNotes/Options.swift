/// What the command line says.
struct Options {
  /// The folder that stands for the phone.
  private(set) var phone = "phone"
  /// The app on that phone: several may be installed, which share the keys of their accounts.
  private(set) var app = "notes"
  /// The folder that the organization's administrator edits.
  private(set) var service = "company"
  /// Whether this process is the share extension, and not the app.
  private(set) var isExtension = false
  private(set) var wantsHelp = false
  /// The words of the command; `nil` reads commands from the input.
  private(set) var command: [String]?
  private var isCarriedOut = false

  init(_ arguments: [String]) throws(UsageError) {
    var words = arguments[...]
    while let word = words.first, word.hasPrefix("-") {
      words.removeFirst()
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--extension": isExtension = true
      case "--phone": phone = try Self.value(of: word, &words)
      case "--app": app = try Self.value(of: word, &words)
      case "--service": service = try Self.value(of: word, &words)
      default: throw UsageError("there is no option \(word)")
      }
    }
    guard Note.isName(app), !Phone.sharedFolders.contains(app.lowercased()) else {
      throw UsageError("\(app) cannot be the name of an app")
    }
    if !words.isEmpty { command = Array(words) }
  }

  /// The next command; `nil` when nothing more is to be done.
  mutating func nextCommand(from terminal: Terminal) -> [String]? {
    if command != nil {
      defer { isCarriedOut = true }
      return isCarriedOut ? nil : command
    }
    while let line = terminal.read() {
      let words = Self.words(in: line)
      if words == ["quit"] { return nil }
      if let first = words.first, !first.hasPrefix("#") { return words }
    }
    return nil
  }

  /// The words of a line; single quotes join what is between them.
  private static func words(in line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
      place.isMultiple(of: 2) ? part.split(whereSeparator: \.isWhitespace).map(String.init) : [String(part)]
    }
  }

  private static func value(
    of option: String, _ words: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = words.popFirst(), !value.isEmpty else { throw UsageError("\(option) needs a value") }
    return value
  }
}

/// A command line that is not understood.
struct UsageError: Error, CustomStringConvertible {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  var description: String { "\(reason); sample-notes --help lists all commands" }
}
