import Journal

/// A device that goes through power cuts, with the file system of the moment on it.
struct SimulatedDevice {
  private(set) var fileSystem: RecordingFileSystem
  private let canary: Canary?
  private let forgetsAtFailedSync: Bool
  private var disk = Disk()
  /// How many operations of the file system the disk has taken.
  private var taken = 0

  init(canary: Canary? = nil, forgetsAtFailedSync: Bool = false) {
    self.canary = canary
    self.forgetsAtFailedSync = forgetsAtFailedSync
    fileSystem = RecordingFileSystem(canary: canary, forgetsAtFailedSync: forgetsAtFailedSync)
  }

  /// Cuts the power: what was promised lasts, and of everything else a part that chance decides. Nothing that was open on
  /// the old file system may be used after that.
  mutating func cutPower(using generator: inout SeededGenerator) {
    let operations = fileSystem.operations
    for operation in operations[taken...] { disk.perform(operation) }
    let all = CrashStates.fates(disk, randomCount: 8, seed: generator.next())
    let fates = all.randomElement(using: &generator) ?? Fates(.all(.kept))
    let image = disk.image(fates)
    let now = fileSystem.monotonicNanoseconds
    disk = Disk(image)
    taken = 0
    fileSystem = RecordingFileSystem(image, canary: canary, forgetsAtFailedSync: forgetsAtFailedSync)
    fileSystem.advance(nanoseconds: now)
  }

  /// Lets one call or a few fail, soon.
  func failSoon(using generator: inout SeededGenerator) {
    let errors = [
      Platform.deviceError, Platform.noSpace, Platform.quotaExceeded, Platform.interrupted, Platform.fileTooLarge,
      Platform.noMemory,
    ]
    let code = errors[generator.below(errors.count)]
    let fault: FaultPlan.Fault =
      switch generator.below(4) {
      case 0: .short(generator.below(40))
      case 1: .shortThenError(generator.below(40), code)
      default: .error(code)
      }
    // A device may fail a sync and refuse the note of it, too.
    let choices: [Set<String>] = [
      ["sync"], ["write", "setSize", "rename"], ["sync", "write", "setSize", "rename"], ["open", "read", "list"], [],
    ]
    let kinds = choices[generator.below(choices.count)]
    let count = generator.oneIn(2) && !kinds.isEmpty ? 1 + generator.below(30) : 1
    fileSystem.setPlan(
      FaultPlan(at: fileSystem.calls.count + 1 + generator.below(8), count: count, fault, kinds: kinds))
  }

  /// Lets the process die in one of the next calls.
  func dieSoon(using generator: inout SeededGenerator) {
    fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + 1 + generator.below(12), .death))
  }
}
