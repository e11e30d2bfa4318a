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
    let threads = ThreadIdentities(try running(step))
    switch work {
    case .create(let label, let kind, let thread): works[label] = threads.create(kind, on: thread)
    case .submit(let label, let thread): works[label] = threads.submit(try found(label, step), on: thread)
    }
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
      let identity = try found(label, step).identity
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
