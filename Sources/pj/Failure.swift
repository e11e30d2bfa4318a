import CommandLineInterface
import EventSourcing
import Forensics
import Journal

/// Why a command could not do what it was asked to: one line with the place, the reason and the next command.
struct Failure: Error, Equatable {
  /// How the tool ends.
  var exitCode: ExitCode
  /// The place and the reason, without a full stop.
  var message: String
  /// What to type next; empty when the message is a whole line.
  var next: String

  /// Creates a failure.
  init(_ exitCode: ExitCode, _ message: String, next: String) {
    self.exitCode = exitCode
    self.message = message
    self.next = next
  }

  /// The whole line, safe on a terminal.
  func line(of command: String) -> String {
    TerminalText.visible(next.isEmpty ? message : "pj \(command): \(message). Next: \(next)")
  }
}

extension Failure {
  /// A journal that cannot be read, or not as far as needed.
  init(_ error: JournalError, journal path: String) {
    guard !path.isEmpty else {
      self.init(.wrongUse, "the journal's name is empty", next: "pj help commands")
      return
    }
    // An error about the whole directory names it already.
    let reason = error.file == path ? "\(error)" : "\(path): \(error)"
    switch error.code {
    case .unsupportedFormat: self.init(.needsNewerTool, reason, next: "pj version")
    case .damaged, .badCheckpoint: self.init(.partial, reason, next: "pj verify \(path)")
    case .outOfRange: self.init(.wrongUse, reason, next: "pj help positions")
    case .conflict: self.init(.partial, reason, next: "pj log \(path)")
    case .notAJournal: self.init(.unreadable, reason, next: "pj help commands")
    default: self.init(.unreadable, reason, next: "ls -ld \(path)")
    }
  }

  /// A question about a history that has no answer.
  init(_ error: HistoryError, journal path: String) {
    if case .journal(let error) = error {
      self.init(error, journal: path)
      return
    }
    let reason = "\(path): \(error.message)"
    switch error {
    case .journal(let error): self.init(error, journal: path)
    case .beforeKeptRange, .afterEnd, .timeBeforeKeptRange:
      self.init(.wrongUse, reason, next: "pj help positions")
    case .noStartingState, .damaged: self.init(.partial, reason, next: "pj verify \(path)")
    case .unknownType(let sequence, _, _), .unknownVersion(let sequence, _, _):
      self.init(.needsNewerTool, reason, next: "pj show \(path) \(sequence)")
    case .undecodable(let sequence, _, _), .foreignPayload(let sequence, _):
      self.init(.partial, reason, next: "pj show \(path) \(sequence)")
    }
  }

  /// A position that cannot be used; `path` is the journal's when the position is right and the journal has none such.
  init(_ error: PositionError, journal path: String? = nil) {
    let reason = (path.map { "\($0): " } ?? "") + error.description
    switch error.code {
    case .malformed, .outside, .reversed: self.init(.wrongUse, reason, next: "pj help positions")
    case .lost: self.init(.partial, reason, next: "pj verify \(path ?? JournalInput.defaultPath)")
    }
  }

  /// An error of the argument parser, which is a whole line by itself.
  init(_ error: ArgumentError) {
    self.init(.wrongUse, error.description, next: "")
  }

  /// A filter that cannot be used.
  init(_ error: FilterError, option: String) {
    self.init(.wrongUse, "\(option): \(error)", next: "pj help filters")
  }
}
