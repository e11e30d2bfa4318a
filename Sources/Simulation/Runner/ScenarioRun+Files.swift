import AppProtection

extension ScenarioRun {
  /// The rule that prevents a file of one account from being given to another.
  private static let ownerRule = "file.owner"

  /// The most files that may be named: every lookup examines all of them.
  private static let maximumFiles = 1_000

  /// Performs a step on a named file.
  mutating func carryOut(_ file: FileStep, _ step: ScenarioStep) throws(ScenarioError) {
    let name: String
    let outcome: FileOwners.Outcome
    let assumptions = try running(step).settings.app.assumptions
    switch file {
    case .open(let path, let access, let place):
      let identity = try identity(at: place, step)
      name = path
      outcome = service.change(under: assumptions) { $0.open(path, access, as: identity) }
    case .protect(let path, let owner, let verifies):
      let identity = try identity(of: owner, step)
      name = path
      outcome = service.change(under: assumptions) { files in
        verifies ? files.verifyAndProtect(path, as: identity) : files.protect(path, as: identity)
      }
    case .copy(let path, let target, let place):
      let identity = try identity(at: place, step)
      name = path
      outcome = service.change(under: assumptions) { $0.copy(path, to: target, as: identity) }
    case .move(let path, let target, let place):
      let identity = try identity(at: place, step)
      name = path
      outcome = service.change(under: assumptions) { $0.move(path, to: target, as: identity) }
    case .remove(let path):
      name = path
      outcome = service.change(under: assumptions) { $0.remove(path) }
    case .handOut(let path, let target, let account):
      let (state, provider) = (try running(step), try identity(of: account, step))
      name = path
      outcome = service.change(under: assumptions) { $0.handOut(path, to: target, for: provider, by: state) }
    }
    switch outcome {
    case .done where service.namedFileCount > Self.maximumFiles:
      throw outOfPlace(step, "more than \(Self.maximumFiles) files are named", "give a number with the step \"files\"")
    case .done: break
    case .notFound:
      throw outOfPlace(step, "no file is named \(name)", "create it first with the step \"openFile\"")
    case .refused(let owner):
      refusal = UncheckedRefusal(
        rule: Self.ownerRule, reason: "\(name) belongs to \(owner) and cannot be given to another account",
        position: step.position)
    }
  }

  /// Hands work from one thread to another.
  mutating func carryOut(_ work: WorkStep, _ step: ScenarioStep) throws(ScenarioError) {
    switch work {
    case .create(let label, let kind, let place):
      let (threads, thread) = try threads(at: place, step)
      works[label] = threads.create(kind, on: thread)
      changedIdentities[label] = nil
    case .submit(let label, let place):
      let (threads, thread) = try threads(at: place, step)
      works[label] = threads.submit(try found(label, step), on: thread)
      changedIdentities[label] = nil
    case .setIdentity(let label, let account):
      _ = (try running(step), try found(label, step))
      changedIdentities[label] = if let account { try identity(of: account, step) } else { .unset }
    case .finish(let label):
      _ = (try running(step), try found(label, step))
      changedIdentities[label] = nil
    }
  }

  /// The threads of the process, and the one on which the code runs: that of work has the work's identity.
  private func threads(
    at place: FileStep.Place, _ step: ScenarioStep
  ) throws(ScenarioError) -> (ThreadIdentities, thread: String) {
    var threads = ThreadIdentities(try running(step))
    switch place {
    case .thread(let label): return (threads, label)
    case .work(let label):
      threads.set(try identity(ofWork: label, step), on: label)
      return (threads, label)
    }
  }

  /// The identity under which work runs.
  private func identity(ofWork label: String, _ step: ScenarioStep) throws(ScenarioError) -> Identity {
    let work = try found(label, step)
    return changedIdentities[label] ?? work.identity
  }

  private func running(_ step: ScenarioStep) throws(ScenarioError) -> AppProtectionState {
    guard let engine else { throw outOfPlace(step, "the app is not running", "launch it first") }
    return engine.state
  }

  private func found(_ label: String, _ step: ScenarioStep) throws(ScenarioError) -> Work {
    if let work = works[label] { return work }
    throw outOfPlace(
      step, "this process created no work named \(label)", "create it first with the step \"createWork\"")
  }

  /// The identity that new files get where the code runs.
  private func identity(at place: FileStep.Place, _ step: ScenarioStep) throws(ScenarioError) -> Identity {
    let state = try running(step)
    switch place {
    case .thread(let label):
      return state.effectiveIdentity(
        of: .file, onThread: label, isMainThread: label == IdentityScope.mainThread
      ).identity
    case .work(let label):
      let identity = try identity(ofWork: label, step)
      return identity == .unset ? state.identities[.process] : identity
    }
  }

  /// The identity of an account, or that of no account if the name is empty.
  private func identity(of name: String, _ step: ScenarioStep) throws(ScenarioError) -> Identity {
    if name.isEmpty { return .unmanaged }
    guard let number = names.number(of: name) else {
      throw outOfPlace(step, "the journal does not know \(name) yet", "mention the account in an earlier command")
    }
    return .account(number)
  }
}

extension FileOwners {
  /// Writes the copy of a file that a provider hands out, as `FileProtectionManager.handOut(_:to:for:requiring:)` does: with an
  /// owner if the policy of the file's owner, or else of the provider's account, asks for encryption, and plain otherwise.
  fileprivate mutating func handOut(
    _ path: String, to target: String, for provider: Identity, by state: AppProtectionState
  ) -> Outcome {
    guard let owner = self[path] else { return .notFound }
    // A file under policy is encrypted, so that its owner is certain; what another one names as its owner is not.
    let asked = state.enforcedPolicy(for: owner) == nil ? provider : owner
    let isRequired = state.fileProviderEncryption(for: asked.account).outcome == .required
    return open(target, .create, as: isRequired ? asked : .unmanaged)
  }
}
