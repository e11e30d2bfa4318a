/// The beginning of `KEPT`, of a checkpoint and of a page of `KEYFRAMES`: magic, version, size, journal id, and a
/// checksum in the last four bytes. `JOURNAL` and segments begin with a ``VersionedHeader``.
enum SmallHeader {
  /// It verifies, and this program knows its version and its features.
  case sound(FixedRecord, JournalID)
  /// It verifies, and only a newer program can read it.
  case unsupported(String, JournalID)
  case damaged

  /// - Parameters:
  ///   - bytes: at least the header's; what follows is ignored.
  ///   - size: the header's size.
  ///   - flags: where its incompatible flags are.
  ///   - known: the flags that this program knows.
  ///   - stated: the number at offset 12.
  static func check(_ bytes: [UInt8], magic: UInt64, size: Int, flags: Int, known: UInt32 = 0, stated: Int? = nil)
    -> SmallHeader
  {
    guard let record = FixedRecord(bytes, size: size), record.isSealed(),
      record.integer(at: 0, as: UInt64.self) == magic, let id = JournalID(bytes: record.slice(at: 16, count: 16))
    else { return .damaged }
    let major = record.integer(at: 8, as: UInt16.self)
    guard major == Format.majorVersion else {
      return .unsupported("format version \(major).\(record.integer(at: 10, as: UInt16.self))", id)
    }
    if let what = Features.unknown(in: record, at: flags, besides: known) { return .unsupported(what, id) }
    guard record.integer(at: 12, as: UInt32.self) == UInt32(stated ?? size) else { return .damaged }
    return .sound(record, id)
  }

  /// What a header of a journal needs that this program does not know; `nil` for any other header.
  func unsupported(of journal: JournalID) -> String? {
    if case .unsupported(let what, journal) = self { what } else { nil }
  }

  /// The journal that the header names, if it verifies.
  var id: JournalID? {
    switch self {
    case .sound(_, let id), .unsupported(_, let id): id
    case .damaged: nil
    }
  }
}
