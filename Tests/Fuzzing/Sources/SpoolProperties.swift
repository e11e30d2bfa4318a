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
    try drain(files)
  }

  /// Drains twice: a command is carried out once at most. Returns how often one was.
  @discardableResult
  static func drain(_ files: FuzzFileSystem) throws(PropertyFailure) -> Int {
    let drain = SpoolDrain<ContentProperties.Machine>(at: "s", of: journal, fileSystem: files)
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
    return commands.flatMap { command -> [[UInt8]] in
      let files = FuzzFileSystem([:])
      let spool = try? CommandSpool<ContentProperties.Machine>(
        at: "s", of: journal, name: "extension", session: place.session, fileSystem: files)
      let moment = Moment(wallNanoseconds: 9)
      _ = try? spool?.submit(command, in: ContentProperties.Machine.initialState, at: moment, idempotencyKey: [1, 2])
      let file = files.files[name] ?? []
      return [[0] + file, [1] + file.dropFirst(64)]
    } + [[2, 8, 1], [2]]
  }
}
