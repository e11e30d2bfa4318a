import AppProtection
import AppProtectionInsight
import CommandLineInterface
import PolicyDocuments

/// Numbers: status codes, errors of the token library, and reasons for wipes.
extension Terms {
  private static let enrollmentPage = "AccountsAndEnrollment"

  static var codes: [Term] { EnrollmentStatusCode.table.map { code($0.code) } }

  static var tokenErrors: [Term] {
    TokenLibraryError.table.map { error in
      Term(
        .tokenError, "\(error.number)", "\(error.name), an error of the token library",
        aliases: [error.name, "MSALError\(error.name.prefix(1).uppercased())\(error.name.dropFirst())"],
        page: "Diagnosis",
        [
          .paragraph(Term.sentence(error.meaning)),
          .definitions([
            .init("said by", "The token library, which is asked for a token."),
            .init("user", Term.sentence(error.user)), .init("administrator", Term.sentence(error.administrator)),
            .init("developer", Term.sentence(error.developer)),
          ]),
        ] + trackers(error.number) + (error.number == TokenDenied.protectionRequired ? [protectionFamilies] : []))
    }
  }

  static var wipeReasons: [Term] { WipeReason.descriptor.members.map { wipeReason(UInt32($0.number)) } }

  /// What is known of a number that no table has: its range, and its neighbours.
  static func numbered(_ number: Int64) -> [Term] {
    guard number >= 0 else { return [unlisted(tokenError: number)] }
    guard 100..<1_000 ~= number else { return [] }
    let status = code(EnrollmentStatusCode(rawValue: UInt32(number)))
    return 600..<700 ~= number ? [wipeReason(UInt32(number)), status] : [status]
  }

  /// An error of the directory, such as `AADSTS53003`; `nil` for any other text. Microsoft changes these codes at any time, and says
  /// itself what each means today.
  static func signInError(_ text: String) -> Term? {
    guard text.uppercased().hasPrefix("AADSTS") else { return nil }
    let digits = text.dropFirst(6).prefix { "0"..."9" ~= $0 }
    guard digits.count <= 9, digits.count == text.count - 6 else { return nil }
    let link = "https://login.microsoftonline.com/error" + (digits.isEmpty ? "" : "?code=\(digits)")
    return Term(
      .tokenError, "AADSTS\(digits)", "an error of the directory's sign-in",
      page: "Diagnosis",
      [
        .paragraph(
          "Microsoft Entra ID refuses a token, before app protection is asked. Microsoft says what the number means, and changes it at any time: \(link)."
        ),
        .definitions([
          .init("said by", "The directory, through the token library."),
          .init("user", "Sign in when the app asks for it."),
          .init(
            "administrator",
            "Look up the sign-in in the directory's logs, by the time or the correlation id: they name the conditional access policy that refuses it."
          ),
          .init(
            "developer",
            "Read the error of the token library: \(TokenDenied.protectionRequired) asks for app protection, \(TokenDenied.signInRequired) for a sign-in."
          ),
        ]),
      ])
  }

  /// The nearest numbers of all tables.
  static func nearestNumbers(to number: Int64) -> [String] {
    let known = (codes + tokenErrors + wipeReasons).compactMap { Int64($0.name) }
    // A difference of two numbers may be too large for one of them, but not for one without a sign.
    func distance(_ one: Int64) -> UInt64 { UInt64(bitPattern: max(number, one) &- min(number, one)) }
    let sorted = known.sorted { (distance($0), $0) < (distance($1), $1) }
    return sorted.prefix(3).map { "\($0)" }
  }

  // MARK: - Status codes

  private static func code(_ code: EnrollmentStatusCode) -> Term {
    let number = "\(code.rawValue)"
    guard let entry = code.entry else {
      return Term(
        .code, number, "a status code without a description", page: enrollmentPage,
        unlisted(code))
    }
    let legacy = code.legacyResultCode.map { ["legacy result code \($0)", "\($0)"] } ?? []
    return Term(
      .code, number, entry.name,
      aliases: [
        entry.name, "IntuneMAMEnrollmentStatus\(entry.name.prefix(1).uppercased())\(entry.name.dropFirst())",
      ] + legacy, page: enrollmentPage,
      [.paragraph(entry.consequence), .definitions(facts(of: entry))] + trackers(Int64(code.rawValue)) + inLog(code))
  }

  private static func facts(of entry: EnrollmentStatusCode.Entry) -> [HelpBlock.Definition] {
    let code = entry.code
    var facts: [HelpBlock.Definition] = []
    switch code.origin {
    case .service?: facts.append(.init("said by", "The service."))
    case .sdk?: facts.append(.init("said by", "The SDK on the device: it is not the service's answer."))
    case .tokenLibrary?: facts.append(.init("said by", "The token library: the service was not asked."))
    case nil: break
    }
    facts.append(.init("again", repetition(of: code)))
    if let legacy = code.legacyResultCode {
      facts.append(.init("also", "Logs write legacy result code \(legacy) beside it."))
    }
    if let version = entry.introduced { facts.append(.init("since", "SDK \(version).")) }
    if let advice = StatusAdvice.about(code) {
      facts += [
        .init("user", Term.sentence(advice.user)), .init("administrator", Term.sentence(advice.administrator)),
        .init("developer", Term.sentence(advice.developer)),
      ]
    }
    let families = ProblemFamily.allCases.filter { $0.title.contains("(\(code.rawValue))") }
    facts += families.map { .init("problem", "pj help \($0.id): \($0.title).") }
    facts += TransitionHelp.all.filter { names(code.rawValue, $0.when + " " + $0.then) }.map {
      .init($0.name, Term.sentence("\($0.when): \($0.then)"))
    }
    return facts
  }

  /// Whether a text has a number as a word.
  private static func names(_ number: UInt32, _ text: String) -> Bool {
    text.split { !$0.isNumber }.contains { $0 == "\(number)" }
  }

  /// When a request that ended in a code is sent again.
  private static func repetition(of code: EnrollmentStatusCode) -> String {
    switch code {
    case .newPoliciesReceived, .policiesHaveNotChanged:
      return "The next check-in follows after \(intervals(\.checkIn)), or after the interval that the service names."
    case .noPolicyReceived: return "The next check-in follows after \(intervals(\.checkInWithoutPolicy))."
    default: break
    }
    return switch code.repetition {
    case .never: "Not by itself."
    case .scheduled: "By itself, after \(intervals { $0.interval(after: code) })."
    case .backoff:
      "By itself, after \(RetrySchedule.backoff.map { "\($0 / RetrySchedule.minute)" }.joined(separator: ", ")) minutes, and then each time after as long as the last."
    case .afterSignIn: "As soon as the app has a token for the account again."
    }
  }

  /// A length of the published tables: `12 hours (serviceTable), 24 hours (guide2019, guide2023)`.
  private static func intervals(_ length: (RetrySchedule) -> Int64) -> String {
    var found: [(length: Int64, profiles: [String])] = []
    for profile in RetryProfile.allCases {
      let length = length(RetrySchedule(profile))
      if let place = found.firstIndex(where: { $0.length == length }) {
        found[place].profiles.append(profile.name)
      } else {
        found.append((length, [profile.name]))
      }
    }
    return found.map { entry in
      words(entry.length) + (found.count > 1 ? " (\(entry.profiles.joined(separator: ", ")))" : "")
    }.joined(separator: ", ")
  }

  /// A length of time in hours or minutes.
  private static func words(_ length: Int64) -> String {
    length % RetrySchedule.hour == 0
      ? "\(length / RetrySchedule.hour) hours" : "\(length / RetrySchedule.minute) minutes"
  }

  private static func unlisted(_ code: EnrollmentStatusCode) -> [HelpBlock] {
    let table = EnrollmentStatusCode.table.map(\.code.rawValue)
    var ranges: [ClosedRange<UInt32>] = []
    for number in table {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    let known = ranges.map { "\($0.lowerBound) to \($0.upperBound)" }.joined(separator: " and ")
    let range =
      code.classification == .warning
      ? "Numbers from 100 to 199 and from 300 to 399 do not look like failures: nothing is concluded about the account, and the service is asked again after \(intervals(\.checkIn))."
      : "It is taken for a failure: the request is repeated after \(intervals(\.failedEnrollment))."
    let neighbours = [table.last { $0 < code.rawValue }, table.first { $0 > code.rawValue }].compactMap(\.self)
    let answer = trackers(Int64(code.rawValue))
    return [
      .paragraph("The published codes are \(known); this one is of a later version, or internal. \(range)"),
      .definitions(
        neighbours.compactMap { number in
          EnrollmentStatusCode(rawValue: number).entry.map { .init("\(number)", "\($0.name): \($0.consequence)") }
        }),
    ] + (answer.isEmpty ? [.paragraph(Term.sentence(TraceFinding.Kind.unknownCode.meaning))] : answer) + [
      "pj log JOURNAL --findings shows where it occurs."
    ]
  }

  private static func inLog(_ code: EnrollmentStatusCode) -> [HelpBlock] {
    let sentences = FieldLogSentence.all.filter {
      if case .code(_, let stated) = $0.meaning { stated == code } else { false }
    }
    return sentences.isEmpty
      ? [] : ["In the SDK's log:", .definitions(sentences.map { .init($0.source, "“\($0.shape)”") })]
  }

  private static func trackers(_ number: Int64) -> [HelpBlock] {
    guard let answer = TrackerAnswer.about(number) else { return [] }
    return [
      "On the public trackers:", .definitions(answer.facts.map { .init($0.source, Term.sentence($0.text)) }),
      "Ask next:",
      .definitions(answer.questions.enumerated().map { .init("\($0.offset + 1)", $0.element) }),
    ]
  }

  // MARK: - Errors of the token library

  private static var protectionFamilies: HelpBlock {
    .definitions(
      [ProblemFamily.missingCapability, .remediationLoop].map { .init("pj help \($0.id)", Term.sentence($0.title)) })
  }

  private static func unlisted(tokenError number: Int64) -> Term {
    let table = TokenLibraryError.table
    let first = table.map(\.number).max() ?? 0
    let last = table.map(\.number).min() ?? 0
    let range =
      TokenLibraryError.system.contains(number)
      ? "Errors from −1 to −2000 are the system's, of its network (NSURLErrorDomain)."
      : TokenLibraryError.range.contains(number)
        ? "The token library's errors that an app should handle are \(first) to \(last); this one is of a later version."
        : "No table has it. The token library's errors that an app should handle are \(first) to \(last); others, such as -51115, stand below one of these and are for its own log."
    let neighbours =
      TokenLibraryError.system.contains(number)
      ? [] : table.sorted { ($0.number - number).magnitude < ($1.number - number).magnitude }.prefix(2)
    return Term(
      .tokenError, "\(number)", "an error without a description", page: "Diagnosis",
      [.paragraph(range), .definitions(neighbours.map { .init("\($0.number)", "\($0.name): \($0.meaning).") })])
  }

  // MARK: - Wipes

  private static func wipeReason(_ number: UInt32) -> Term {
    let reason = WipeReason(rawValue: number)
    return Term(
      .wipeReason, "\(number)", "\(reason.name), a reason for a wipe", aliases: [reason.name], page: "Diagnosis",
      [
        .paragraph(Term.sentence(reason.meaning ?? "a reason that is not published")), .definitions(facts(of: reason)),
        .paragraph("pj help \(ProblemFamily.unexpectedWipe.id) says how the cause of a wipe is found."),
      ])
  }

  private static func facts(of reason: WipeReason) -> [HelpBlock.Definition] {
    let source: HelpBlock.Definition =
      reason.isPublished
      ? .init("said by", "The notice of the wipe, which carries this number.")
      : .init("said by", "pj: no source publishes the service's number, so this one is its own.")
    let transitions = TransitionHelp.all.filter { reason.isPublished && names(reason.rawValue, $0.then) }
    let others =
      reason.meaning == nil
      ? WipeReason.descriptor.members.map { WipeReason(rawValue: UInt32($0.number)) }.filter(\.isPublished) : []
    return [source] + transitions.map { .init($0.name, Term.sentence("\($0.when): \($0.then)")) }
      + others.map { .init("\($0.rawValue)", Term.sentence($0.meaning ?? $0.name)) }
  }
}
