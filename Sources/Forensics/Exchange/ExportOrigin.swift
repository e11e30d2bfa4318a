import JSON
import Journal

/// What a journal's directory tells about the export that the journal came from.
public struct ExportOrigin {
  /// The file in the directory.
  package static let fileName = ExportFormat.sidecar
  /// What an import kept, as long as the journal is exactly what was imported; `nil` otherwise.
  let sidecar: ExportSidecar?
  /// Whether the events, or some of them, were redacted: they are never taken for the originals again, however the journal
  /// was continued or copied.
  public let wasRedacted: Bool
  /// Why that cannot be read; `nil` if it can.
  public let trouble: String?

  /// Looks at a journal's directory.
  public init(of reader: JournalReader) {
    self.init(of: reader.path, reader.fileSystem) { $0.applies(to: reader) }
  }

  private init(of folder: String, _ fileSystem: any FileSystem, _ applies: (ExportSidecar) -> Bool) {
    let bytes: [UInt8]?
    do throws(FileSystemError) {
      bytes = try ExportSidecar.contents(of: folder, fileSystem)
    } catch {
      (sidecar, wasRedacted, trouble) = (nil, false, "\(error)")
      return
    }
    guard let bytes else {
      (sidecar, wasRedacted, trouble) = (nil, false, nil)
      return
    }
    do throws(JSONError) {
      let found = try ExportSidecar.read(bytes)
      wasRedacted = found.wasRedacted
      trouble = nil
      sidecar = found.sidecar.flatMap { applies($0) ? $0 : nil }
    } catch {
      (sidecar, wasRedacted, trouble) = (nil, false, error.message)
    }
  }

  /// Marks a journal as redacted that was made of another one, if that one was redacted.
  ///
  /// - Parameters:
  ///   - folder: The other one's directory.
  ///   - path: The directory of the new journal.
  /// - Throws: `inputOutput`.
  public static func carryOver(
    from folder: String, to path: String, _ fileSystem: any FileSystem
  ) throws(JournalError) {
    guard ExportOrigin(of: folder, fileSystem, { _ in false }).wasRedacted else { return }
    try ExportSidecar.write(ExportSidecar.markOfRedaction, to: path, fileSystem)
  }
}
