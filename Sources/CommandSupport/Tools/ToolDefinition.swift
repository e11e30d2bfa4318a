/// The tool whose commands run: its name, its domain, and what only some tools can do.
@usableFromInline
package struct ToolDefinition: Sendable {
  /// Its name and version.
  package let identity: Tool
  /// The domain of the journals whose states it knows.
  package let domain: AnyDomain
  /// Reads journals out of archives; `nil` for a tool without a library for that.
  package let archives: (any ArchiveOpener)?

  /// A tool that reads the journals of one domain.
  @usableFromInline
  package init(
    _ name: String, version: String, domain: AnyDomain, archives: (any ArchiveOpener)? = nil,
    hasEveryCommand: Bool = false
  ) {
    identity = Tool(
      name, version: version, archiveEndings: archives?.endings ?? [], hasEveryCommand: hasEveryCommand,
      eventType: domain.samples.type, hasAccounts: domain.hasAccounts)
    (self.domain, self.archives) = (domain, archives)
  }
}

/// Opens archives that may hold journals.
@usableFromInline
package protocol ArchiveOpener: Sendable {
  /// The endings of archives that are read.
  var endings: [String] { get }

  /// Whether a file begins as one of the kinds that are read.
  func mayBeArchive(_ beginning: [UInt8]) -> Bool

  /// Reads the journals in an archive.
  ///
  /// - Throws: A failure where nothing in it can be read, or it exceeds the limits.
  func journals(in bytes: [UInt8], _ path: String) throws(Failure) -> any ArchivedJournals
}

/// The journals in an archive.
@usableFromInline
package protocol ArchivedJournals {
  /// The files of each journal, by their folder in the archive and their names.
  var journals: [String: [String: [UInt8]]] { get }
  /// The folders that are journals, in the order of their names.
  var journalFolders: [String] { get }
  /// Why not everything could be read; `nil` if it could.
  var loss: String? { get }
  /// What was left out, in one line each.
  var notes: [String] { get }

  /// The folder of the journal that is meant: the only one, or the one that was named after the file's name.
  ///
  /// - Parameters:
  ///   - wanted: What stands after the file's name, such as `2026/journal`; `.` for a journal in no folder.
  ///   - path: The file.
  ///   - typed: The whole path as it was typed.
  func folder(_ wanted: String?, _ path: String, typed: String) throws(Failure) -> String
}
