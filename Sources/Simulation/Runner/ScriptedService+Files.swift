import AppProtection
import AppProtectionKit

extension ScriptedService {
  /// Sets how many files an account has besides those named in steps.
  func place(_ script: FileScript) {
    state.withLock { $0.files[script.account] = script }
  }

  func removeFiles(of account: AccountNumber) -> FileRemoval {
    let wipe = names.wipe(of: account)
    return state.withLock { state in
      var removal = FileRemoval(count: UInt64(state.owners.removeFiles(of: account)))
      if let name = names[account], let script = state.files[name] {
        // Removed files are gone; a file that could not be removed stays that way until the script changes it.
        state.files[name] = FileScript(account: name, count: 0, failure: script.failure)
        removal.count += script.count
        removal.failure = script.failure
      }
      // The journal does not know of those that a process removed that died.
      if let last = state.removals[account], last.wipe == wipe { removal.earlier = last.count }
      state.removals[account] = (wipe, removal.earlier &+ removal.count)
      return removal
    }
  }

  /// Records that the app itself removed all data of an account.
  func forgetFiles(of account: AccountNumber) {
    state.withLock { state in
      state.owners.removeFiles(of: account)
      if let name = names[account] { state.files[name] = nil }
    }
  }

  /// Number of files of an account; a scripted removal failure counts as one file.
  func filesLeft(of name: String) -> UInt64 {
    state.withLock { state in
      let named = names.number(of: name).map { state.owners.files(of: $0).count } ?? 0
      let script = state.files[name]
      return UInt64(named) + (script?.count ?? 0) + (script?.failure == nil ? 0 : 1)
    }
  }

  /// The owner of a named file; `nil` if the file does not exist.
  func owner(of file: String) -> Identity? {
    state.withLock { $0.owners[file] }
  }

  /// Number of files named in steps.
  var namedFileCount: Int { state.withLock { $0.owners.files.count } }

  /// Changes the named files according to the app's settings.
  func change(
    under assumptions: Assumptions, _ body: (inout FileOwners) -> FileOwners.Outcome
  ) -> FileOwners.Outcome {
    state.withLock { state in
      state.owners.assumptions = assumptions
      return body(&state.owners)
    }
  }
}
