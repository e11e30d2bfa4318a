import EventSourcing
import WireFormat

/// A recorded event without the type of its domain's events.
@usableFromInline
package struct EventRecord: Sendable {
  /// Its position in its journal, from 1.
  package let sequence: UInt64
  /// The journal's chain after it.
  package let chain: UInt32
  /// The metadata around the body, and the body's bytes.
  package let envelope: Envelope
  /// How much of it this program understands.
  package let content: Content
  /// Whether it is the last event of its batch.
  package let isLastOfBatch: Bool

  /// How much of an event this program understands: the cases of `RecordedEvent.Content`, without what was decoded.
  @usableFromInline
  package enum Content: Sendable {
    case known
    case otherDomain
    case migration
    case unknownType
    case unknownVersion
    case unknownFeatures(EnvelopeFeatures)
    case undecodable(WireError)
    case foreign(WireError)
    case lost
  }

  @inlinable
  init<Event>(_ record: RecordedEvent<Event>) {
    let content: Content =
      switch record.content {
      case .known: .known
      case .otherDomain: .otherDomain
      case .migration: .migration
      case .unknownType: .unknownType
      case .unknownVersion: .unknownVersion
      case .unknownFeatures(let features): .unknownFeatures(features)
      case .undecodable(let error): .undecodable(error)
      case .foreign(let error): .foreign(error)
      case .lost: .lost
      }
    self.init(record.sequence, record.chain, record.envelope, content, isLastOfBatch: record.isLastOfBatch)
  }

  @usableFromInline
  init(_ sequence: UInt64, _ chain: UInt32, _ envelope: Envelope, _ content: Content, isLastOfBatch: Bool) {
    (self.sequence, self.chain, self.envelope, self.content) = (sequence, chain, envelope, content)
    self.isLastOfBatch = isLastOfBatch
  }

  /// Whether the body could be read: by this program, or as its journal describes it.
  package var isUnderstood: Bool {
    switch content {
    case .known, .otherDomain, .migration: true
    case .unknownType, .unknownVersion, .unknownFeatures, .undecodable, .foreign, .lost: false
    }
  }
}
