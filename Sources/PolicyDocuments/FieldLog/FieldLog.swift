import AppProtection

/// Diagnostic files that the SDK writes on a device: lines of text, and the JSON file of diagnostic information.
///
/// No complete file could be examined: they are read as published fragments describe them, and the page of
/// `Tests/pj/IntuneLogs` says what is guessed. Every fact names its place; what cannot be used is counted and named.
///
/// ```swift
/// var log = FieldLog()
/// log.read(bytes, file: "IntuneMAMDiagnostics.txt")
/// for fact in log.facts { print(fact.place, fact.content) }
/// ```
public struct FieldLog: Sendable {
  /// What a place in a file says.
  public enum Content: Equatable, Sendable {
    /// The service answered a request to enroll.
    case enrollment(EnrollmentStatusCode, error: String)
    /// The service answered a request to unenroll.
    case unenrollment(EnrollmentStatusCode, error: String)
    /// The service answered a check-in.
    case checkIn(EnrollmentStatusCode, error: String)
    /// The app had this policy.
    case policy(PolicyDocument)
    /// The service was reached.
    case contact
    /// Device management names this user.
    case deviceAccount
    /// The account was registered.
    case registration
  }

  /// One fact.
  public struct Fact: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z; `nil` where the file does not say.
    public internal(set) var time: Int64?
    /// What stands in the file for the account, which the SDK replaces by a hash; `nil` where it names none.
    public let account: String?
    /// What it says.
    public let content: Content
    /// The file and the line or the member.
    public let place: Place
    /// What the file does not say and the reading adds, besides a time that is missing.
    public internal(set) var inferred: [Inference] = []
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
  /// Which hashes stand for one account.
  var aliases = FieldLogAliases()
  /// The latest time in the files.
  var latest: Int64?

  /// The most places named for one reason.
  private static let mostNamed = 5
  /// The most facts.
  private static let mostFacts = 1_000_000

  /// Nothing was read yet.
  public init() {}

  /// Reads a file of either kind.
  public mutating func read(_ bytes: [UInt8], file: String) {
    let text = FieldLogText(bytes)
    if text.first == UInt8(ascii: "{") {
      readInformation(text.bytes, file)
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
    if skippedCounts[reason, default: 0] <= Self.mostNamed { skipped.append(Skipped(place: place, reason: reason)) }
  }
}

/// A file's text in UTF-8, whatever it was written in.
struct FieldLogText {
  /// The text.
  let bytes: [UInt8]
  /// The first byte that is not white space.
  var first: UInt8? { bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } }

  init(_ file: [UInt8]) {
    switch (file.first, file.dropFirst().first) {
    case (0xFF, 0xFE): bytes = Self.fromUTF16(file.dropFirst(2)) { UInt16($1) << 8 | UInt16($0) }
    case (0xFE, 0xFF): bytes = Self.fromUTF16(file.dropFirst(2)) { UInt16($0) << 8 | UInt16($1) }
    default: bytes = file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.dropFirst(3)) : file
    }
  }

  private static func fromUTF16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

/// Which of the hashes that the SDK writes for an account's object id, identity and address stand for one account: those that
/// a line names together.
struct FieldLogAliases: Sendable {
  /// For each hash of another kind, that of the object id which a line named it with.
  private var objectIDs: [String: String] = [:]
  /// For each other hash, the first one that a line named it with.
  private var others: [String: String] = [:]

  /// The most hashes.
  private static let most = 20_000

  /// A line names an account.
  ///
  /// - Parameter names: What it names the account by, as `FieldLog.accounts(in:)` has it. A hash that was named with another
  ///   account before stays that one's.
  mutating func add(_ names: [String]) {
    guard let first = names.first, names.count > 1, objectIDs.count + others.count < Self.most else { return }
    let isObjectID = !["identity-", "m-"].contains(where: first.hasPrefix)
    for name in names.dropFirst() {
      if isObjectID { objectIDs[name] = objectIDs[name] ?? first } else { others[name] = others[name] ?? first }
    }
  }

  /// The name that stands for an account, whichever of its names a line has.
  func name(of name: String) -> String {
    if let objectID = objectIDs[name] { return objectID }
    // An address that lines name with an identity, which other lines name with the object id.
    guard let other = others[name] else { return name }
    return objectIDs[other] ?? other
  }
}
