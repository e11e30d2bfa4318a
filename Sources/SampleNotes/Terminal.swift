import AppProtectionKit

/// Where the user's lines come from, and where the app's go.
struct Terminal: Sendable {
  /// The user's next line; `nil` at the end of the input.
  var read: @Sendable () -> String? = { readLine() }
  /// Shows a line.
  var write: @Sendable (String) -> Void = { AppProcess.show($0) }

  /// Shows why something was not done.
  func report(_ error: any Error) -> ExitStatus {
    if let error = error as? Unsuccessful { return error.code }
    // The file and what is the matter with it: the code is for programs.
    let cause = (error as? DataProtectionError)?.cause
    write(cause?.description ?? "\(error)")
    return switch error {
    case is NotesRefusal, EngineError.refused: .refused
    case is DataProtectionError where cause == nil: .refused
    case is UsageError: .wrongUse
    default: .failed
    }
  }
}

/// What a policy forbids, or what the app's user did not agree to.
struct NotesRefusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// What a policy forbids, with its rule.
  init<Outcome: Equatable & Sendable>(blockedBy decision: Decision<Outcome>) {
    self.init("blocked: \(decision.reason) (\(decision.rule))")
  }
}

/// Something was not done, and the user was informed why.
struct Unsuccessful: Error {
  let code: ExitStatus
}
