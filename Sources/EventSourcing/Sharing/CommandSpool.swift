import Journal
import WireFormat

/// A domain whose commands processes hand to each other, through a ``CommandSpool``.
public protocol HandoverDomain: Decider {
  /// Reads a command that ``Decider/encode(_:into:)`` wrote, which must write all of it.
  ///
  /// - Returns: `nil` for a command that only a newer program knows. It then waits for such a program.
  /// - Throws: For bytes that are not a command. They are set aside.
  static func decodeCommand(from reader: inout WireReader) throws(WireError) -> Command?

  /// The accounts that a command names, as far as the state knows them: the keys of all of them seal it, so that it goes with
  /// the first of these people who is erased. The default is none.
  static func sealingAccounts(of command: Command, in state: State) -> [UInt64]
}

extension HandoverDomain {
  /// None.
  public static func sealingAccounts(of command: Command, in state: State) -> [UInt64] { [] }

  /// Reads a command back from what is handed over of it. Only debug builds do.
  ///
  /// - Throws: `outOfRange` if that is another command. Names the property that is lost.
  static func checkReadBack(_ command: Command, from bytes: [UInt8]) throws(JournalError) {
    #if DEBUG
      let read: Command?
      do throws(WireError) {
        read = try WireReader.decode(bytes) { (reader) throws(WireError) in try decodeCommand(from: &reader) }
      } catch {
        throw JournalError(unreadable: "a command", "\(error)")
      }
      guard let read else { throw JournalError(unreadable: "a command", "'decodeCommand' does not know it") }
      if let path = StoredProperty.firstDifference(command, read) { throw JournalError(lost: path, of: "a command") }
    #endif
  }
}

/// Hands commands to the process that writes a journal.
///
/// An extension shares a journal with its app and must not write it while the app does. It hands its commands over instead,
/// as files in a folder beside the journal; the writer carries them out with a ``SpoolDrain``.
///
/// ```swift
/// let spool = try CommandSpool<Book>(at: folder, of: follower.identity.id, name: "share-extension", session: random)
/// let ticket = try spool.submit(.deposited(cents: 500), in: follower.state, at: now)  // durable
/// let outcome = try await spool.waitForOutcome(of: ticket)
/// ```
///
/// **Guarantees.** A command is durable when ``submit(_:in:at:idempotencyKey:)`` returns, and is then carried out exactly once,
/// whatever process dies or loses power when. The commands of one spool are carried out in the order in which they were
/// submitted; those of several, as far as their clocks tell.
///
/// **Threads.** All members may be called from any thread.
public final class CommandSpool<Machine: HandoverDomain>: Sendable {
  /// The most bytes that a command may have.
  public static var maximumCommandLength: Int { 2 << 20 }
  /// The most commands that wait at a time, of all processes.
  public static var maximumCommandCount: Int { SpoolFolder.maximumCount }

  private let folder: SpoolFolder
  private let session: UInt64
  private let process: UInt64
  private let name: String
  private let sealing: SpoolSealing?
  /// The number of the last command. Held while a command is written, so that they appear in order.
  private let last = Lock<UInt64>(0)

  /// - Parameters:
  ///   - path: The folder, the same for all processes; it is created if its parent exists.
  ///   - journal: The journal, as ``StateFollower/identity`` tells it. The writer of another one sets the commands aside.
  ///   - name: What readers of the journal call this process, such as `share-extension`: 1 to 64 letters, digits, dots,
  ///     hyphens and underscores of ASCII. It must name no person, because it is never sealed.
  ///   - session: A random number of 64 bits that no other process uses.
  ///   - process: The number by which the journal knows the process; by default the system's.
  ///   - sealing: Seals commands under the keys of the accounts that they name. Needed where the journal is sealed.
  ///   - fileSystem: The file system that holds the folder.
  public init(
    at path: String, of journal: JournalID, name: String, session: UInt64, process: UInt64? = nil,
    sealing: Sealing? = nil, fileSystem: any FileSystem = PosixFileSystem()
  ) throws(SpoolError) {
    guard CommandAttributes.isKey(name) else { throw .nameInvalid(name) }
    folder = SpoolFolder(path: path, of: journal, fileSystem: fileSystem)
    self.session = session
    self.process = process ?? UInt64(clamping: fileSystem.processIdentifier)
    self.name = name
    self.sealing = sealing.map { SpoolSealing($0, domain: Machine.Event.domain, journal: journal) }
    try SpoolError.catching { () throws(JournalError) in try folder.create() }
  }

  /// Hands a command over, durably when this returns.
  ///
  /// With a ``Sealing``, the command is sealed under the keys of all accounts that it names and the state knows, and under the
  /// journal's own key, number 0. The tag covers everything else that the file says.
  ///
  /// - Parameters:
  ///   - command: The change requested.
  ///   - state: What the process knows, in which the command's accounts are looked up.
  ///   - moment: The time of the request, which the events keep as their ``CommandOrigin``.
  ///   - idempotencyKey: As that of
  ///     ``EventStore/append(_:at:expecting:idempotencyKey:cause:attributes:)-(_,_,UInt64?,_,_,_)``. Pass one if the command may be submitted again after an error; by default every call is a command of its own.
  /// - Returns: What ``outcome(of:)`` asks for.
  /// - Throws: ``SpoolError``. The command is then not handed over, unless the device failed to sync the folder and to remove
  ///   the file again.
  @discardableResult
  public func submit(
    _ command: Machine.Command, in state: Machine.State, at moment: Moment, idempotencyKey: [UInt8] = []
  ) throws(SpoolError) -> SpoolTicket {
    guard idempotencyKey.count <= IdempotencyWindow.maximumKeyLength else {
      throw .keyTooLong(bytes: idempotencyKey.count)
    }
    if sealing == nil, state.holdsSealedValues { throw .sealing(.withoutKeys) }
    var writer = WireWriter()
    Machine.encode(command, into: &writer)
    let bytes = writer.bytes
    try SpoolError.catching { () throws(JournalError) in try Machine.checkReadBack(command, from: bytes) }
    let accounts = Set(Machine.sealingAccounts(of: command, in: state)).sorted()
    guard bytes.count <= Self.maximumCommandLength, accounts.count <= SpoolSealing.maximumAccountCount else {
      throw .tooLarge(bytes: bytes.count)
    }
    return try last.withLock { (last) throws(SpoolError) -> SpoolTicket in
      let count = try SpoolError.catching { () throws(JournalError) in try folder.count() }
      guard count < Self.maximumCommandCount else { throw .full(count: count) }
      // A number is used once, even if writing its file fails: the file may be there all the same.
      last += 1
      let place = SpoolPlace(session: session, number: last)
      let key = idempotencyKey.isEmpty ? place.idempotencyKey : idempotencyKey
      let payload = try SpoolPayload(
        idempotencyKey: key, origin: CommandOrigin(process: process, at: moment), processName: name,
        isSealed: sealing != nil
      ) { (plain) throws(SpoolError) in
        try sealing?.seal(bytes, .command(plain: plain), at: place, for: accounts) ?? bytes
      }
      try SpoolError.catching { () throws(JournalError) in
        try folder.put(payload.encoded, isSealed: payload.isSealed, at: place)
      }
      return SpoolTicket(place: place, idempotencyKey: key)
    }
  }

  /// How a command ended; `nil` while it waits.
  ///
  /// The writer keeps the outcomes of the newest 64 commands of each process, and of the newest processes; those of earlier
  /// ones are ``CommandOutcome/unknown``.
  public func outcome(of ticket: SpoolTicket) throws(SpoolError) -> CommandOutcome? {
    // Looked at before the outcomes: a command that is gone by now has left its outcome there.
    let command = try SpoolError.catching { () throws(JournalError) in try folder.command(at: ticket.place) }
    let outcomes = try folder.readOutcomes(of: ticket.place.session)
    do throws(SealingError) {
      if let outcome = try outcomes?.outcome(of: ticket.place.number, sealing: sealing) {
        return outcome
      }
    } catch {
      throw .sealing(error)
    }
    return command == .missing ? .unknown : nil
  }

  /// Waits until a command has ended; `nil` once the task is cancelled. Blocks no thread.
  public func waitForOutcome(of ticket: SpoolTicket) async throws(SpoolError) -> CommandOutcome? {
    let changes = folder.changes()
    repeat {
      if let outcome = try outcome(of: ticket) { return outcome }
    } while await changes.change()
    return nil
  }

  /// Removes the outcomes of this process's commands, once it needs them no more. Commands that wait are still carried out.
  public func close() throws(SpoolError) {
    try SpoolError.catching { () throws(JournalError) in
      // While commands wait, the outcomes say which of them are done with.
      guard try !folder.commands().contains(where: { $0.session == session }) else { return }
      try folder.removeOutcomes(of: session)
    }
  }
}

/// Stands for a command that was handed over.
public struct SpoolTicket: Hashable, Sendable, CustomStringConvertible {
  let place: SpoolPlace
  /// The key under which the command was submitted. Pass it to submit the command again, which is then carried out once.
  public let idempotencyKey: [UInt8]

  /// The name of its file, without a suffix.
  public var description: String { place.text }
}

extension SpoolPlace {
  /// The key of a command that was submitted without one: session and number, most significant byte first.
  var idempotencyKey: [UInt8] {
    [session, number].flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
  }
}

extension SpoolFolder {
  /// The outcomes of a session; `nil` where there are none, or none that can be read.
  func readOutcomes(of session: UInt64) throws(SpoolError) -> SpoolOutcomes? {
    let content = try SpoolError.catching { () throws(JournalError) in try outcomes(of: session) }
    guard case .payload(let bytes, let last, _) = content else { return nil }
    return try? SpoolOutcomes(session: session, last: last, decoding: bytes)
  }
}
