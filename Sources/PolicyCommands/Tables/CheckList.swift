import AppProtection
import CommandLineInterface
import CommandSupport
import JSON
import PolicyDocuments

/// What was checked, as continuous integration shows it: each check with the document that it is about.
struct CheckList {
  /// A check.
  struct Check {
    /// The name of the rule, which never changes.
    let rule: String
    /// What should be, in one sentence.
    let meaning: String
    /// The file of the document.
    let file: String
    /// The document within the file; empty if it is the file.
    let path: String
    /// What is wrong; `nil` if nothing is.
    let problem: Problem?

    fileprivate var isUndecided: Bool { problem.map { $0.isUnknown && $0.severity != .note } ?? false }
    fileprivate var isFailure: Bool { problem.map { !$0.isUnknown && $0.severity != .note } ?? false }
  }

  /// What a check found.
  struct Problem {
    let severity: PolicyRule.Severity
    let message: String
    var place: DocumentPlace?
    /// Whether it is not known what is wrong, if anything is.
    var isUnknown = false
  }

  /// What was checked, such as `pj policy lint`.
  let title: String
  private(set) var checks: [Check] = []
  /// What could not be judged, each with the reason: without these, a run that read nothing would pass.
  private(set) var errors: [(file: String, reason: String)] = []

  init(_ title: String) { self.title = title }

  /// The checks of which it is not known whether they hold, but for notes, which decide nothing.
  var undecided: [Check] { checks.filter(\.isUndecided) }

  mutating func add(_ check: Check) { checks.append(check) }

  /// Adds what could not be judged.
  mutating func addError(_ file: String, _ reason: String) { errors.append((file, reason)) }
}

/// The forms that continuous integration reads.
enum CheckFormat: String, CaseIterable {
  /// The XML of JUnit: a suite for each file, a case for each check.
  case junit
  /// SARIF 2.1.0: a result for each problem.
  case sarif

  /// The option of a command that has these forms alone.
  static let option = OptionDescription(
    "format", value: "FORMAT", accepting: .oneOf(allCases.map(\.rawValue)),
    "Print for continuous integration instead: junit or sarif.")

  /// The form that is asked for; `nil` if none of these is.
  init?(_ context: CommandContext) throws(Failure) {
    guard let form = context.arguments.value(of: "format").flatMap(CheckFormat.init(rawValue:)) else { return nil }
    try context.refuseJSON("--format")
    self = form
  }

  /// Prints a list in this form.
  func print(_ list: CheckList, to context: CommandContext) {
    context.output.leaveLinesWhole()
    context.output.write(text(of: list))
  }

  /// A list in this form.
  func text(of list: CheckList) -> String {
    switch self {
    case .junit: Self.junit(list)
    case .sarif: Self.sarif(list).description + "\n"
    }
  }

  private static func junit(_ list: CheckList) -> String {
    func attribute(_ text: String) -> String { HTMLText.escaped(xmlText(TerminalText.visible(text))) }
    func counts(_ checks: [CheckList.Check], _ errors: Int) -> String {
      "tests=\"\(checks.count + errors)\" failures=\"\(checks.count(where: \.isFailure))\" "
        + "errors=\"\(checks.count(where: \.isUndecided) + errors)\">\n"
    }
    var suites: [(file: String, checks: [CheckList.Check], errors: [String])] = []
    var places: [String: Int] = [:]
    func place(of file: String) -> Int {
      if let place = places[file] { return place }
      places[file] = suites.count
      suites.append((file, [], []))
      return suites.count - 1
    }
    for check in list.checks { suites[place(of: check.file)].checks.append(check) }
    for error in list.errors { suites[place(of: error.file)].errors.append(error.reason) }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"\(attribute(list.title))\" \(counts(list.checks, list.errors.count))"
    for (file, checks, errors) in suites {
      text += "<testsuite name=\"\(attribute(file))\" \(counts(checks, errors.count))"
      for check in checks {
        let name = [check.path, check.meaning].filter { !$0.isEmpty }.joined(separator: ": ")
        text += "<testcase classname=\"\(attribute(check.rule))\" name=\"\(attribute(name))\""
        guard let problem = check.problem else {
          text += "/>\n"
          continue
        }
        let place = problem.place.map { "\($0): " } ?? ""
        let element = check.isFailure ? "failure" : check.isUndecided ? "error" : "system-out"
        text += ">\n<\(element)"
        if element != "system-out" {
          text += " type=\"\(problem.severity.rawValue)\" message=\"\(attribute(problem.message))\""
        }
        text += ">\(attribute("\(file): \(place)\(problem.message)"))</\(element)>\n</testcase>\n"
      }
      for reason in errors {
        text += "<testcase classname=\"unjudged\" name=\"the document can be judged\">\n"
        text += "<error message=\"\(attribute(reason))\"/>\n</testcase>\n"
      }
      text += "</testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func sarif(_ list: CheckList) -> JSONValue {
    // Several demands on one setting are one rule, which means all of them.
    var rules: [(id: String, meanings: [String])] = []
    var places: [String: Int] = [:]
    for check in list.checks {
      guard let place = places[check.rule] else {
        places[check.rule] = rules.count
        rules.append((check.rule, [check.meaning]))
        continue
      }
      if !rules[place].meanings.contains(check.meaning) { rules[place].meanings.append(check.meaning) }
    }
    let results = list.checks.compactMap { check -> JSONValue? in
      guard let problem = check.problem, !check.isUndecided else { return nil }
      var location: [JSONObject.Member] = [.init("artifactLocation", ["uri": .string(uri(of: check.file))])]
      if case .text(let line, let column)? = problem.place {
        location.append(.init("region", ["startLine": .number(line), "startColumn": .number(column)]))
      }
      return [
        "ruleId": .string(check.rule), "level": .string(problem.severity.rawValue),
        "message": ["text": .string(TerminalText.visible(problem.message))],
        "locations": [["physicalLocation": .object(location)]],
      ]
    }
    let errors = list.undecided.map { ($0.file, $0.problem?.message ?? "") } + list.errors.map { ($0.file, $0.reason) }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "pj", "version": .string(Version.package),
              "rules": .array(
                rules.map {
                  ["id": .string($0.id), "shortDescription": ["text": .string($0.meanings.joined(separator: "; "))]]
                }),
            ]
          ],
          "invocations": [
            [
              "executionSuccessful": .bool(errors.isEmpty),
              "toolExecutionNotifications": .array(
                errors.map { file, reason in
                  let text = reason.hasPrefix(file) ? reason : "\(file): \(reason)"
                  return ["level": "error", "message": ["text": .string(TerminalText.visible(text))]]
                }),
            ]
          ],
          "results": .array(results),
        ]
      ],
    ]
  }

  /// A text without what XML cannot hold, even escaped: each such scalar is replaced.
  private static func xmlText(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isHeld =
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
      scalars.append(isHeld ? scalar : "\u{FFFD}")
    }
    return String(scalars)
  }

  /// A path as a relative reference.
  private static func uri(of path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || "/-._~".contains(character))
        ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
