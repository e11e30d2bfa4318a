import AppProtection
import EventSourcing
import Journal

/// What must hold for any bytes in a spool.
enum SpoolProperties {
  private static let journal = JournalID(bytes: Array(1...16)) ?? .none
  static let place = SpoolPlace(session: 7, number: 1)
  static let name = place.text + ".command"

  /// The first byte says whether the input is the whole of a command's file, its payload, or the payload of outcomes, and
  /// whether a payload is called sealed.
  static func check(_ input: [UInt8]) throws(PropertyFailure) {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    let files: FuzzFileSystem
    let isSealed = kind & 0x80 != 0
    switch kind % 3 {
    case 0: files = FuzzFileSystem([name: bytes])
    case 1:
      files = FuzzFileSystem([:])
      let folder = SpoolFolder(path: "s", of: journal, fileSystem: files)
      guard (try? folder.put(bytes, isSealed: isSealed, at: place)) != nil else {
        throw PropertyFailure("a command cannot be put")
      }
      try require(
        (try? folder.command(at: place)) == .payload(bytes, number: 1, isSealed: isSealed),
        "a command is another one when it is read")
    default:
      files = FuzzFileSystem([:])
      let folder = SpoolFolder(path: "s", of: journal, fileSystem: files)
      guard (try? folder.putOutcomes(bytes, upTo: place)) != nil else { return }
      try require(
        (try? folder.outcomes(of: place.session)) == .payload(bytes, number: 1, isSealed: false),
        "outcomes are others when they are read")
      guard (try? folder.put([], isSealed: false, at: SpoolPlace(session: 7, number: 2))) != nil else { return }
    }
    let sealed = FuzzFileSystem(files.files)
    try drain(files)
    try checkSealed(sealed)
  }

  /// What holds where the journal is sealed: only a command that its keys sealed, as it was and in its own place, is carried out.
  private static func checkSealed(_ files: FuzzFileSystem) throws(PropertyFailure) {
    let content = try? SpoolFolder(path: "s", of: journal, fileSystem: files).command(at: place)
    let carriedOut = try drain(files, keys)
    guard case .payload(let payload, _, let isSealed)? = content, carriedOut > 0 else { return }
    try require(isSealed, "a command that no key sealed is carried out")
    let next = SpoolPlace(session: place.session, number: place.number + 1)
    for change in [SpoolChange(payload: payload, place: next), SpoolChange(changing: payload, at: place)] {
      let files = FuzzFileSystem([:])
      let folder = SpoolFolder(path: "s", of: journal, fileSystem: files)
      guard (try? folder.put(change.payload, isSealed: true, at: change.place)) != nil else {
        throw PropertyFailure("a command cannot be put")
      }
      try require(try drain(files, keys) == 0, "a sealed command is carried out that was moved or changed")
    }
  }

  private struct SpoolChange {
    let payload: [UInt8]
    let place: SpoolPlace

    init(payload: [UInt8], place: SpoolPlace) { (self.payload, self.place) = (payload, place) }

    init(changing payload: [UInt8], at place: SpoolPlace) {
      self.init(payload: payload.dropLast() + payload.suffix(1).map { $0 ^ 1 }, place: place)
    }
  }

  /// Keys that depend on nothing; that of the second account is destroyed once its commands are sealed.
  private struct FixedKeys: SealingKeys {
    let hasSecond: Bool

    func key(of account: UInt64) -> SealingKey? {
      if account == 2, !hasSecond { return nil }
      return SealingKey(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: 0x40 + account), count: 32))
    }

    func keyForSealing(_ account: UInt64) -> SealingKey? { key(of: account) }

    var sealing: Sealing { Sealing(keys: self) { (0..<$0).map { UInt8(truncatingIfNeeded: 0x10 + $0) } } }
  }

  static let keys = FixedKeys(hasSecond: false).sealing

  /// Drains twice: a command is carried out once at most. Returns how often one was.
  @discardableResult
  static func drain(_ files: FuzzFileSystem, _ sealing: Sealing? = nil) throws(PropertyFailure) -> Int {
    let drain = SpoolDrain<ContentProperties.Machine>(at: "s", of: journal, sealing: sealing, fileSystem: files)
    guard
      let writer = try? JournalWriter.create(
        at: "j", id: journal, createdNanoseconds: 9, options: JournalOptions(), fileSystem: FuzzFileSystem([:]))
    else { throw PropertyFailure("no journal can be made") }
    var carriedOut = 0
    for _ in 0..<2 {
      _ = try? drain.drain(into: writer) { _ in
        carriedOut += 1
        return .carriedOut(events: nil)
      }
    }
    try require(carriedOut <= 1, "a command is carried out twice")
    _ = try? drain.setAside()
    return carriedOut
  }

  /// Inputs to begin with: files of commands, what they hold, and outcomes.
  static var seeds: [[UInt8]] {
    let commands: [AppProtectionCommand] = [.startDueWork, .acknowledgeMissingPolicy, .answerRestart(.postponed)]
    let plain = commands.flatMap { command -> [[UInt8]] in
      let file = file(of: command, in: ContentProperties.Machine.initialState)
      return [[0] + file, [1] + file.dropFirst(64)]
    }
    return plain + [[2, 8, 1], [2]] + sealedFiles.flatMap { [[0] + $0, [0x81] + $0.dropFirst(64)] }
  }

  /// Files of sealed commands: one that names no account, one of the first account, and one of the second, whose key is destroyed
  /// since.
  static var sealedFiles: [[UInt8]] {
    var state = ContentProperties.Machine.initialState
    let references = [AccountNumber.first, AccountNumber(2) ?? .first].map { number in
      var introduced = AccountIntroduced.blank
      introduced.account = number
      introduced.userPrincipalName = "a\(number.rawValue)@example.com"
      ContentProperties.Machine.reduce(
        into: &state, .accountIntroduced(introduced),
        EventContext(sequence: UInt64(number.rawValue), moment: Moment(wallNanoseconds: 8)))
      return AccountReference(number)
    }
    let sealing = FixedKeys(hasSecond: true).sealing
    return ([.startDueWork] + references.map { .acquireToken($0) }).map { file(of: $0, in: state, sealing) }
  }

  private static func file(
    of command: AppProtectionCommand, in state: AppProtectionState, _ sealing: Sealing? = nil
  ) -> [UInt8] {
    let files = FuzzFileSystem([:])
    let spool = try? CommandSpool<ContentProperties.Machine>(
      at: "s", of: journal, name: "extension", session: place.session, sealing: sealing, fileSystem: files)
    _ = try? spool?.submit(command, in: state, at: Moment(wallNanoseconds: 9), idempotencyKey: [1, 2])
    return files.files[name] ?? []
  }
}
