import AppProtection
import EventSourcing

/// Where the lines of an engine's log go, and which are written.
public struct Logging: Sendable {
  /// Where they go: the app's choice.
  public var destination: any LogDestination
  /// What must matter at least as much; everything if the property list sets `VerboseLoggingEnabled`.
  public var level: LogLevel
  /// Whether names, object ids and texts of the service are written. `false` shows accounts by their numbers, which are
  /// those of the journal, and withholds the texts. Secrets are never written.
  public var revealsPersonalData: Bool

  /// What matters, without personal data, unless said otherwise.
  public init(to destination: any LogDestination, level: LogLevel = .info, revealsPersonalData: Bool = false) {
    self.destination = destination
    self.level = level
    self.revealsPersonalData = revealsPersonalData
  }
}

/// Writes the log (`IntuneMAMLogger`): what the engine records and tells, and the app's own lines.
///
/// ```swift
/// engine.logger.log(.info, "opened the notes of alice@contoso.com")  // "opened the notes of a1"
/// ```
///
/// **What stays out.** Values of `ValuesToScrubFromLogging` never appear. Unless ``Logging/revealsPersonalData`` is set, the
/// names and object ids of accounts that the journal knows are replaced by their numbers, in any case of letters, and texts
/// of the service are withheld. Of other names in the app's own lines, nothing is known.
///
/// An engine without ``Logging`` writes nothing.
public struct Logger: Sendable {
  let logging: Logging?
  /// What must matter at least as much to be written; `nil` if nothing is.
  public let level: LogLevel?
  let scrubber: LogScrubber
  private let clock: any TimeSource
  private let store: EventStore<AppProtectionMachine>
  /// Whether the app collects the log of the token library itself.
  private let leavesSignInToApp: Bool

  init(
    _ logging: Logging?, isVerbose: Bool, scrubber: LogScrubber, leavesSignInToApp: Bool, clock: any TimeSource,
    store: EventStore<AppProtectionMachine>
  ) {
    self.logging = logging
    level = logging.map { isVerbose ? .verbose : $0.level }
    self.scrubber = scrubber
    self.leavesSignInToApp = leavesSignInToApp
    self.clock = clock
    self.store = store
  }

  /// The files with the lines.
  public var paths: [String] { logging?.destination.paths ?? [] }

  /// Writes a line of the app. `text` is not evaluated if its level is not written.
  public func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard isWritten(level) else { return }
    let text = text()
    write(level, revealsPersonalData ? text : store.withState { Self.withoutNames(text, in: $0) })
  }

  /// Writes a line of the token library's log, unless the property list leaves that to the app
  /// (`ADALLogOverrideDisabled`): set this as the library's callback.
  public func logSignIn(_ level: LogLevel, _ text: @autoclosure () -> String) {
    if !leavesSignInToApp { log(level, "sign-in: \(text())") }
  }

  /// Whether lines of this level are written.
  public func isWritten(_ level: LogLevel) -> Bool { self.level.map { level >= $0 } ?? false }

  var revealsPersonalData: Bool { logging?.revealsPersonalData ?? false }

  /// Writes a line in which only the values to scrub may be left.
  func write(_ level: LogLevel, _ text: String) {
    logging?.destination.write(LogLine(level, scrubber.scrub(text), at: clock.now().wallNanoseconds))
  }

  /// A text in which the accounts' names and object ids are replaced by their numbers.
  private static func withoutNames(_ text: String, in state: borrowing AppProtectionState) -> String {
    var names: [(name: [UInt8], number: [UInt8])] = []
    for account in state.accounts.records {
      for name in [account.userPrincipalName, account.objectID?.description] {
        guard let name else { continue }
        names.append((Array(name.utf8), Array(account.account.description.utf8)))
      }
    }
    var bytes = Array(text.utf8)
    // The longest first: one name may be the end of another.
    for (name, number) in names.sorted(by: { $0.name.count > $1.name.count }) { bytes.replace(name, with: number) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Replaces each occurrence of some bytes, in any case of ASCII letters.
  fileprivate mutating func replace(_ sought: [UInt8], with replacement: [UInt8]) {
    guard let first = sought.first?.lowercase, count >= sought.count else { return }
    var (result, place) = ([UInt8](), 0)
    while place < count {
      let isFound =
        self[place].lowercase == first && place + sought.count <= count
        && sought.indices.allSatisfy { self[place + $0].lowercase == sought[$0].lowercase }
      if isFound {
        result += replacement
        place += sought.count
      } else {
        result.append(self[place])
        place += 1
      }
    }
    self = result
  }
}

extension UInt8 {
  fileprivate var lowercase: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
