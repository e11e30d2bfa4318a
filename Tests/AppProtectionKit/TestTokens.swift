import AppProtection
import AppProtectionKit
import Synchronization

/// A token library with answers that a test sets.
final class TestTokens: TokenProvider {
  struct Answers: Sendable {
    var silent: Result<AccessToken, TokenFailure> = .success(AccessToken("silent"))
    var interactive: Result<AccessToken, TokenFailure> = .success(AccessToken("interactive"))
    var requests: [TokenRequest] = []
  }

  let answers = Mutex(Answers())
  /// Called before each silent answer.
  let hook = Mutex<(@Sendable () async -> Void)?>(nil)

  func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    await hook.withLock { $0 }?()
    let result = answers.withLock { answers in
      answers.requests.append(request)
      return answers.silent
    }
    return try result.get()
  }

  func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    try answers.withLock { $0.interactive }.get()
  }
}
