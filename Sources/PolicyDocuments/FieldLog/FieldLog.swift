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
/// log.read(bytes, file: "IntuneMAMDiagnostics.txt")
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
  /// The last year that a line said.
  var year: Int?
  /// The time of the last line of the file.
  var lineTime: Int64?

  /// The most places named for one reason.
  public let mostNamed: Int
  /// The most facts.
  private static let mostFacts = 1_000_000
  /// The most places named for one reason, unless more are asked for.
  public static let fewNamed = 5

  /// Nothing was read yet.
  ///
  /// - Parameter mostNamed: The most places that are named for one reason to skip something.
  public init(mostNamed: Int = fewNamed) { self.mostNamed = mostNamed }

  /// Reads a file of any kind.
  public mutating func read(_ bytes: [UInt8], file: String) {
    let text = FieldLogText(bytes)
    lineTime = nil
    if let root = try? JSONDocument.parse(text.bytes).root, root.value.object != nil || root.value.array != nil {
      read(root, Origin(file: file))
    } else {
      readLines(text, file)
    }
  }

  mutating func add(_ fact: Fact) {
    if let time = fact.time { latest = max(latest ?? time, time) }
    guard facts.count < Self.mostFacts else { return skip(fact.place, "there are too many facts") }
    facts.append(fact)
  }

  mutating func skip(_ place: Place, _ reason: String) {
    skippedCounts[reason, default: 0] += 1
    if skippedCounts[reason, default: 0] <= mostNamed { skipped.append(Skipped(place: place, reason: reason)) }
  }
}
