import Journal

extension EventStore {
  /// Seals the personal data of decided events, and folds the events again, so that the state holds what the journal holds.
  ///
  /// - Parameters:
  ///   - hasKey: Whether the command has an idempotency key.
  ///   - features: Receives what a reader must know of each event.
  @usableFromInline
  static func seal(
    _ decided: DecidedEvents<Machine>, _ sealing: Sealing, in contents: StateVersion<Machine.State>.Contents,
    at moment: Moment, hasKey: Bool, features: inout [EnvelopeFeatures]
  ) throws(StoreError<Machine.Rejection>) -> DecidedEvents<Machine> {
    var result = contents.withState { state in
      DecidedEvents<Machine>(in: state, at: EventContext(sequence: contents.sequence + 1, moment: moment))
    }
    features = []
    for var event in decided.events {
      var pass = PersonalPass(sealing: sealing, domain: Machine.Event.domain, account: event.sealingAccount)
      do throws(SealingError) {
        try event.passPersonal(to: &pass)
      } catch {
        throw .sealing(error)
      }
      let command: EnvelopeFeatures = hasKey ? .sealedCommand : []
      features.append(pass.sealedCount > 0 ? command.union(.sealedValues) : command)
      result.append(event)
    }
    return result
  }

  /// What tells the keys from others, to be recorded in a journal that is sealed with them; empty if key number 0 was
  /// destroyed.
  @usableFromInline
  static func keyCheck(of sealing: Sealing) throws(StoreError<Machine.Rejection>) -> [UInt8] {
    do throws(SealingError) { return try sealing.keyCheck() } catch { throw .sealing(error) }
  }

  /// The forms in which a sealed journal keeps a command's idempotency key and fingerprint.
  @usableFromInline
  static func codes(
    _ sealing: Sealing, key: [UInt8], fingerprint: [UInt8]
  ) throws(StoreError<Machine.Rejection>) -> (key: [UInt8], fingerprint: [UInt8]) {
    guard !key.isEmpty else { return ([], []) }
    do throws(SealingError) {
      let command = fingerprint.isEmpty ? [] : try sealing.code(of: fingerprint, .commandFingerprint)
      return (try sealing.code(of: key, .idempotencyKey), command)
    } catch {
      throw .sealing(error)
    }
  }
}
