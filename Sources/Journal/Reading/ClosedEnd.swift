/// Reports whether a journal is closed: each query reads `HEAD`, and everything else only when `HEAD` records another
/// closing.
public struct ClosedEnd: Sendable {
  private let directory: JournalDirectory
  private let id: JournalID
  /// The receipt that was last examined, and whether the journal's files end where it says.
  private var judged: (receipt: HeadReceipt, isEnd: Bool)?

  init(_ directory: JournalDirectory, of id: JournalID) {
    self.directory = directory
    self.id = id
  }

  /// The last event of a journal that its writer closed; `nil` while a writer has it open, after a crash, and when
  /// the files do not end where the writer said.
  ///
  /// - Throws: as ``JournalReader/init(path:fileSystem:)``.
  public mutating func lastSequence() throws(JournalError) -> UInt64? {
    let bytes = try directory.readSpare(Format.headName, limit: Format.headSize)?.bytes ?? []
    guard let receipt = HeadReceipt.read(bytes, of: id).newest, receipt.isClean else { return nil }
    if judged?.receipt != receipt {
      let catalog = try JournalCatalog(directory)
      // A writer has opened it meanwhile.
      guard catalog.receipt == receipt else { return nil }
      judged = (receipt, catalog.wasClosed)
    }
    return judged?.isEnd == true ? receipt.sequence : nil
  }
}

extension JournalReader {
  /// Asks whether the journal is closed, now and later.
  public var closedEnd: ClosedEnd { ClosedEnd(directory, of: catalog.identity.id) }
}
