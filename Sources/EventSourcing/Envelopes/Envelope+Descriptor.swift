extension Envelope {
  /// The envelope's fields, as the published schema states them.
  public static let descriptor = MessageDescriptor(
    "Envelope",
    [
      FieldDescriptor(1, "type", .unsigned, .single, "the event type's number, as EventType lists it; never 0"),
      FieldDescriptor(2, "version", .unsigned, .single, "the version of the body's schema; left out when it is 1"),
      FieldDescriptor(3, "wallTime", .time, .single, "when the event was decided, by the device's clock"),
      FieldDescriptor(
        4, "uptime", .unsigned, .single,
        "nanoseconds since the device started, by a clock that does not stop; 0 when unknown"),
      FieldDescriptor(5, "cause", .sequence, .single, "the event that caused this one"),
      FieldDescriptor(6, "correlation", .sequence, .single, "the first event of the story this one belongs to"),
      FieldDescriptor(7, "process", .sequence, .single, "the start of the process that wrote it"),
      FieldDescriptor(8, "idempotencyKey", .bytes, .single, "the key under which a repeated command is recognised"),
      FieldDescriptor(
        9, "unknownReaders", .enumeration(unknownReadersDescriptor), .single,
        "what a reader must do that does not know the type"),
      FieldDescriptor(
        10, "stateDigest", .bytes, .single,
        "the first 8 bytes of the state's canonical digest after this event's batch; replaced by merkleDigest"),
      FieldDescriptor(11, "commandFingerprint", .bytes, .single, "the first 8 bytes of the command's SHA-256 digest"),
      FieldDescriptor(
        12, "features", .unsigned, .single,
        "bits, one for each feature that a reader must know to understand the event"),
      FieldDescriptor(
        13, "merkleDigest", .bytes, .single, "the first 8 bytes of the state's Merkle digest after this event's batch"),
      FieldDescriptor(
        14, "origin", .message(CommandOrigin.descriptor), .optional,
        "the process that made the request, where another one handed it over"),
      FieldDescriptor(15, "body", .bytes, .single, "the body: the message that the type stands for"),
      FieldDescriptor(
        16, "stream", .string, .single, privacy: .account, "the stream of events that the command belongs to"),
      FieldDescriptor(
        17, "metadata", .message(MetadataEntry.descriptor), .repeated, "what the app attached to the command"),
      FieldDescriptor(
        18, "listedDigest", .bytes, .single,
        "in place of merkleDigest: the first 8 bytes of the digest that follows the state's field list"),
      FieldDescriptor(
        19, "keyCheck", .bytes, .single, "what tells the keys that the journal is sealed with from others"),
    ])

  private static let unknownReadersDescriptor = EnumerationDescriptor(
    "UnknownReaders",
    [
      (UInt64(UnknownReaderRule.ignorable.rawValue), "ignorable"),
      (UInt64(UnknownReaderRule.mustUnderstand.rawValue), "mustUnderstand"),
    ])
}
