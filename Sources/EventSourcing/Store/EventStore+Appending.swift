import Journal
import Synchronization
import WireFormat

extension EventStore {
  /// Decides a command in the current state, then appends and publishes the resulting events.
  ///
  /// When this returns, the events are durable under the journal's sync policy, and ``state`` includes them. A command
  /// that is rejected or produces no event writes nothing. The state it was decided on is durable too, under the
  /// policy, so that no answer is based on something a power cut can undo.
  ///
  /// A command repeated under its idempotency key, with the same contents, returns the events of the first time; the
  /// same key with different contents is an error. This covers the ``recognizedCommandCount`` newest commands with a
  /// key, even after the store was closed and reopened. A command that produced no event is not remembered and is
  /// decided again.
  ///
  /// - Parameters:
  ///   - command: The change requested.
  ///   - moment: The time to record in the events.
  ///   - expected: The last event the caller knows of; the command is refused if there are later ones. Omit it to skip
  ///     the check.
  ///   - idempotencyKey: At most ``maximumKeyLength`` bytes, unique to the command; empty for none. Best 16 random bytes: a
  ///     sealed journal keeps an HMAC of it that outlives the person's key, and one made of a name or an address can be
  ///     confirmed by guessing.
  ///   - cause: The event that prompted the command; 0 for a command from outside.
  ///   - attributes: What the app attaches to the command's events, for later readers only.
  ///   - explanation: Receives the rules evaluated, if it is recording.
  ///   - confirm: Is shown the events before they are written, while no other command is accepted; if it returns false,
  ///     the command adds nothing to the history. Not called for a command without events, or for a repeated one. Of the
  ///     store it may only read the state. The journal may still refuse the events, for instance because the disk is
  ///     full.
  /// - Throws: ``StoreError``.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, attributes: CommandAttributes? = nil, explanation: inout Explanation,
    confirm: ([Machine.Event]) -> Bool = { _ in true }
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    let request = Request(
      command: command, moment: moment, expected: expected, idempotencyKey: idempotencyKey, cause: cause,
      attributes: attributes)
    return try append(request, explanation: &explanation, confirm: confirm)
  }

  @inlinable
  func append(
    _ request: Request, explanation: inout Explanation, confirm: ([Machine.Event]) -> Bool
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    // Passed by value in both directions: the lock's closure must not retain the explanation.
    var steps = explanation
    defer { explanation = steps }
    return try acknowledge { () throws(Failure) in
      try writer.withLock { (writer) throws(Failure) in try perform(request, &writer, &steps, confirm) }
    }
  }

  /// Decides, appends and publishes without recording the rules evaluated.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, attributes: CommandAttributes? = nil
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    var explanation = Explanation()
    return try append(
      command, at: moment, expecting: expected, idempotencyKey: idempotencyKey, cause: cause, attributes: attributes,
      explanation: &explanation)
  }

  /// Decides, appends and publishes if entities are at the versions that the caller expects, whatever has happened to others.
  ///
  /// An entity's version is the number of its last event, and 0 if it has none. Versions are compared when it is this command's
  /// turn, so that no other command comes between. Each event that the command leads to is then looked at: of the kinds that are
  /// expected, it may only be about entities whose version is. <doc:Entities> says more.
  ///
  /// - Parameter expected: What the caller knows, such as `.entity(.room(17), at: 4711)`, or a list of such.
  /// - Throws: ``StoreError``, with ``StoreError/entityConflict(_:expected:found:)`` where an entity is at another version.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: ExpectedVersions, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, attributes: CommandAttributes? = nil
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    var request = Request(
      command: command, moment: moment, expected: nil, idempotencyKey: idempotencyKey, cause: cause,
      attributes: attributes)
    request.expectedVersions = expected
    var explanation = Explanation()
    return try append(request, explanation: &explanation, confirm: { _ in true })
  }

  @usableFromInline
  struct Request: Sendable {
    @usableFromInline var command: Machine.Command
    @usableFromInline var moment: Moment
    @usableFromInline var expected: UInt64?
    @usableFromInline var expectedVersions: ExpectedVersions = []
    @usableFromInline var idempotencyKey: [UInt8]
    @usableFromInline var cause: UInt64
    @usableFromInline var attributes: CommandAttributes?

    @inlinable
    init(
      command: Machine.Command, moment: Moment, expected: UInt64?, idempotencyKey: [UInt8], cause: UInt64,
      attributes: CommandAttributes?
    ) {
      self.command = command
      self.moment = moment
      self.expected = expected
      self.idempotencyKey = idempotencyKey
      self.cause = cause
      self.attributes = attributes
    }

    /// The first eight bytes of the digest of the command's encoding; empty if it has no encoding or no key.
    @inlinable
    func fingerprint() -> [UInt8] {
      guard !idempotencyKey.isEmpty else { return [] }
      var writer = WireWriter()
      Machine.encode(command, into: &writer)
      return writer.isEmpty ? [] : writer.withBytes { Digest.sha256($0).prefix }
    }
  }
}
