import Journal
import Synchronization
import WireFormat

extension EventStore {
  /// Decides a command in the current state, and appends and publishes the events that it leads to.
  ///
  /// When this returns, the events are durable under the journal's sync policy, and ``state`` has them. A command that
  /// is rejected, or that leads to no event, writes nothing; what it was decided on is durable too, under the policy, so
  /// that no answer rests on something that a power cut takes back.
  ///
  /// A command with an idempotency key that comes again, with the same contents, is answered with the events of the
  /// first time; the same key with other contents is an error. This holds for the ``recognizedCommandCount`` newest
  /// commands with a key, also after the store was closed and opened again. A command that led to no event is not
  /// remembered: it is decided again.
  ///
  /// - Parameters:
  ///   - command: What is to happen.
  ///   - moment: When, for the events' label.
  ///   - expected: The last event the caller knows of, if the command is to be refused when there are later ones.
  ///   - idempotencyKey: At most ``maximumKeyLength`` bytes that no other command has; empty for none.
  ///   - cause: The event because of which the command is given; 0 when it comes from outside.
  ///   - explanation: Takes the rules that were evaluated, when it records.
  /// - Throws: ``StoreError``.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    let request = Request(
      command: command, moment: moment, expected: expected, idempotencyKey: idempotencyKey, cause: cause)
    // The explanation goes in and out as a value: the lock's closure may not hold on to it.
    var steps = explanation
    defer { explanation = steps }
    // Waiting for the disk is done without the lock, so that threads that wait at the same time share one sync.
    let outcome = writer.withLock { writer in perform(request, &writer, &steps) }
    return try settle(outcome)
  }

  /// Decides, appends and publishes without recording which rules were evaluated.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    var explanation = Explanation()
    return try append(
      command, at: moment, expecting: expected, idempotencyKey: idempotencyKey, cause: cause,
      explanation: &explanation)
  }

  @usableFromInline
  struct Request: Sendable {
    @usableFromInline var command: Machine.Command
    @usableFromInline var moment: Moment
    @usableFromInline var expected: UInt64?
    @usableFromInline var idempotencyKey: [UInt8]
    @usableFromInline var cause: UInt64

    @inlinable
    init(command: Machine.Command, moment: Moment, expected: UInt64?, idempotencyKey: [UInt8], cause: UInt64) {
      self.command = command
      self.moment = moment
      self.expected = expected
      self.idempotencyKey = idempotencyKey
      self.cause = cause
    }

    /// The first eight bytes of the digest of the command's encoding; empty when it has none or no key.
    @inlinable
    func fingerprint() -> [UInt8] {
      guard !idempotencyKey.isEmpty else { return [] }
      var writer = WireWriter()
      Machine.encode(command, into: &writer)
      return writer.isEmpty ? [] : writer.withBytes { Digest.sha256($0).prefix }
    }
  }
}
