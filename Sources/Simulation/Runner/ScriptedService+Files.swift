import AppProtection
import AppProtectionKit

extension ScriptedService {
  /// Says how many files of an account there are besides those that steps name.
  func place(_ script: FileScript) {
    state.withLock { $0.files[script.account] = script }
  }

  func removeFiles(of account: AccountNumber) -> FileRemoval {
    state.withLock { state in
      let named = UInt64(state.owners.removeFiles(of: account))
      guard let name = names[account], let script = state.files[name] else { return FileRemoval(count: named) }
      // What is removed is gone; what could not be removed stays so until the script says otherwise.
      state.files[name] = FileScript(account: name, count: 0, failure: script.failure)
      return FileRemoval(count: named + script.count, failure: script.failure)
    }
  }

  /// The app itself removed everything of an account.
  func forgetFiles(of account: AccountNumber) {
    state.withLock { state in
      state.owners.removeFiles(of: account)
      if let name = names[account] { state.files[name] = nil }
    }
  }

  /// How many files of an account there are: a script that says why some stay stands for one that does.
  func filesLeft(of name: String) -> UInt64 {
    state.withLock { state in
      let named = names.number(of: name).map { state.owners.files(of: $0).count } ?? 0
      let script = state.files[name]
      return UInt64(named) + (script?.count ?? 0) + (script?.failure == nil ? 0 : 1)
    }
  }

  /// Whose a named file is; `nil` when there is no such file.
  func owner(of file: String) -> Identity? {
    state.withLock { $0.owners[file] }
  }

  /// How many files there are that steps name.
  var namedFileCount: Int { state.withLock { $0.owners.files.count } }

  /// Does something to the named files, by the choices that the app's settings make.
  func change(
    under assumptions: Assumptions, _ body: (inout FileOwners) -> FileOwners.Outcome
  ) -> FileOwners.Outcome {
    state.withLock { state in
      state.owners.assumptions = assumptions
      return body(&state.owners)
    }
  }
}
