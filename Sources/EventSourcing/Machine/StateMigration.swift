import WireFormat

/// `state.migrated`: another revision of the rules took over a state that it could not compute from events, because they
/// are retired.
///
/// A store records it as the first event of the new revision. It changes no state: a replay migrates the same stored state,
/// and compares the result with what is recorded here. Every domain has this type; it is not in its ``EventCatalog``.
public struct StateMigration: Equatable, Sendable {
  /// The type's number. Numbers from here on are never those of a domain's own types.
  public static let type: UInt32 = 0xFFFF_FF00

  /// The revision that computed the stored state (field 1).
  public var from: UInt32 = 0
  /// The revision that took it over (field 2).
  public var to: UInt32 = 0
  /// The event after which the state was stored (field 3).
  public var checkpoint: UInt64 = 0
  /// The combined digest of the stored state, as recorded with it (field 4).
  public var before: [UInt8] = []
  /// The combined Merkle digest of the state that it became (field 5).
  public var after: [UInt8] = []

  /// The type's entry in the catalogues of journals.
  public static let descriptor = EventDescriptor(
    type, "state.migrated",
    body: MessageDescriptor(
      "StateMigrated",
      [
        FieldDescriptor(1, "from", .unsigned, .single, "the revision of the rules that computed the stored state"),
        FieldDescriptor(2, "to", .unsigned, .single, "the revision that took it over"),
        FieldDescriptor(3, "checkpoint", .sequence, .single, "the event after which the state was stored"),
        FieldDescriptor(4, "before", .bytes, .single, "the digest of the stored state"),
        FieldDescriptor(5, "after", .bytes, .single, "the digest of the state that it became"),
      ]),
    meaning: "Another revision of the rules took over a stored state whose events are retired.",
    remedy: "Programs with an earlier revision can no longer continue the journal.")

  init(from: UInt32, to: UInt32, checkpoint: UInt64, before: [UInt8], after: [UInt8]) {
    self.from = from
    self.to = to
    self.checkpoint = checkpoint
    self.before = before
    self.after = after
  }

  /// Reads a body; unknown fields are skipped.
  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: from = try reader.unsigned(field, as: UInt32.self)
      case 2: to = try reader.unsigned(field, as: UInt32.self)
      case 3: checkpoint = try reader.unsigned(field)
      case 4: before = try reader.bytes(field)
      case 5: after = try reader.bytes(field)
      default: try reader.skip(field)
      }
    }
  }

  /// Writes the body.
  func encode(into writer: inout WireWriter) {
    writer.write(1, unsigned: UInt64(from))
    writer.write(2, unsigned: UInt64(to))
    writer.write(3, unsigned: checkpoint)
    writer.write(4, bytes: before)
    writer.write(5, bytes: after)
  }
}

extension EventCatalog {
  /// The entry of a type that an event of the domain may have: one of the catalogue, or `state.migrated`, which every domain
  /// has. `nil` if there is none.
  public func entry(of type: UInt32) -> EventDescriptor? {
    type == StateMigration.type ? StateMigration.descriptor : self[type]
  }
}
