import AppProtection
import JSON

/// Logs of the SDK, as people have them: the files that it writes on a device, the console of Xcode, the unified log, and
/// parts of any of them that went through mail and web pages.
///
/// Three readers work one after another: `FieldLogLines` takes off what quoting, wrapping and terminals add, a line is taken
/// apart into time, process and text, and ``FieldLogSentence`` finds what the text says in one table. Blocks between the lines
/// and files of diagnostic information are trees of values that ``FieldLogBlock`` names.
///
/// No complete file could be examined: they are read as published fragments show them, and the page of
/// `Tests/pj/IntuneLogs` says what is guessed. Every fact names its place; what cannot be used is counted and named, and takes
/// nothing else with it.
///
/// ```swift
/// var log = FieldLog()
/// log.read([FieldLog.File("IntuneMAMDiagnostics.txt", bytes)])
/// for fact in log.facts { print(fact.place, fact.content) }
/// ```
public struct FieldLog: Sendable {
  /// What a place in a file says.
  public enum Content: Equatable, Sendable {
    /// The service answered a request.
    case answer(FieldLogSentence.Request, EnrollmentStatusCode, error: String)
    /// The app asked; no event records it, and the answer that follows names the account less often.
    case request(FieldLogSentence.Request)
    /// The app had this policy.
    case policy(PolicyDocument)
    /// The app had this configuration.
    case configuration([ConfigurationValue])
    /// The service was reached.
    case contact
    /// Device management names this user.
    case deviceAccount
    /// The account was registered.
    case registration
    /// The account's data is wiped.
    case wipe(WipeReason)
    /// The account's data is gone.
    case wipeCompleted
    /// A launch condition was not met.
    case condition(LaunchRule, LaunchOutcome)
    /// The token library refused a token, with this error.
    case tokenDenied(Int64)
    /// A remediation waits for another account's.
    case remediationQueued
  }

  /// What is known about the app and the device.
  public enum Version: Hashable, Sendable {
    /// The version of the app.
    case app
    /// The version of the SDK.
    case sdk
    /// The version of the operating system.
    case os
    /// The device's model.
    case model
  }

  /// A file to read.
  public struct File: Sendable {
    /// Its name, which may be that of a person.
    public let name: String
    /// Its content.
    public let bytes: [UInt8]

    /// A file with a name.
    public init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// One fact.
  public struct Fact: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z; `nil` where the file does not say.
    public internal(set) var time: Int64?
    /// What stands in the file for the account, which the SDK replaces by a hash; `nil` where it names none.
    public internal(set) var account: String?
    /// What it says.
    public internal(set) var content: Content
    /// The file and the line or the member.
    public let place: Place
    /// What the file does not say and the reading adds, besides a time that is missing.
    public internal(set) var inferred: [Inference] = []
    /// The process as the line names it; empty where it names none.
    public internal(set) var process = ""
  }

  /// Something in a file that no fact was made of.
  public struct Skipped: Equatable, Sendable {
    /// The file and the line or the member.
    public let place: Place
    /// Why.
    public let reason: String
  }

  /// The facts, in the order of the files.
  public internal(set) var facts: [Fact] = []
  /// What was skipped: the first ones of each reason.
  public private(set) var skipped: [Skipped] = []
  /// How much was skipped, by reason.
  public private(set) var skippedCounts: [String: Int] = [:]
  /// Number of lines and values that were looked at.
  public internal(set) var examined = 0
  /// What is known about the app and the device.
  public internal(set) var versions: [Version: String] = [:]
  /// Which hashes stand for one account.
  var aliases = FieldLogAliases()
  /// The latest time in the files.
  var latest: Int64?
  /// The year of lines that say none.
  var year: Int
  /// Whether the files or the caller said which year that is.
  var isYearKnown: Bool
  /// The time of the last line of the file.
  var lineTime: Int64?

  /// The most places named for one reason.
  public let mostNamed: Int
  /// The most facts.
  private static let mostFacts = 1_000_000
  /// The most places named for one reason, unless more are asked for.
  public static let fewNamed = 5

  /// The year of lines that say none where nothing says which it is: one that has every day.
  public static let unknownYear = 1972

  /// Nothing was read yet.
  ///
  /// - Parameters:
  ///   - mostNamed: The most places that are named for one reason to skip something.
  ///   - year: The year in which logs begin that say none.
  public init(mostNamed: Int = fewNamed, year: Int? = nil) {
    self.mostNamed = mostNamed
    (self.year, isYearKnown) = (year ?? Self.unknownYear, year != nil)
  }

  /// Reads files of any kind. Logs that say no year come last: the other files may say which it is.
  public mutating func read(_ files: [File]) {
    let givenYear = isYearKnown ? year : nil
    var undated: [(text: FieldLogText, name: String, beginning: FieldLogBeginning)] = []
    for file in files {
      let text = FieldLogText(file.bytes)
      lineTime = nil
      if text.bytes.allSatisfy({ $0 <= 0x20 }) {
        skip(Place(file.name), "the file is empty")
      } else if let root = try? JSONDocument.parse(text.bytes).root,
        root.value.object != nil || root.value.array != nil
      {
        read(root, Origin(file: file.name))
      } else {
        let beginning = FieldLogBeginning(text)
        if beginning.undated != nil, beginning.anchor == nil {
          undated.append((text, file.name, beginning))
        } else {
          readLines(text, file.name, beginning, givenYear)
        }
      }
    }
    for (text, name, beginning) in undated { readLines(text, name, beginning, givenYear) }
  }

  mutating func add(_ fact: Fact) {
    if let time = fact.time { take(time, fact.inferred) }
    guard facts.count < Self.mostFacts else { return skip(fact.place, "there are too many facts") }
    facts.append(fact)
  }

  /// Takes note of a time in the files.
  mutating func take(_ time: Int64, _ inferred: [Inference]) {
    latest = max(latest ?? time, time)
    if !inferred.contains(.unknownYear) { isYearKnown = true }
  }

  mutating func skip(_ place: Place, _ reason: String) {
    skippedCounts[reason, default: 0] += 1
    if skippedCounts[reason, default: 0] <= mostNamed { skipped.append(Skipped(place: place, reason: reason)) }
  }
}
