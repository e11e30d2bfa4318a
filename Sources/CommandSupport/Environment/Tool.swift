/// The tool whose command runs, as its messages and files name it.
package struct Tool: Sendable {
  /// The word that starts it.
  package let name: String
  /// Major, minor and patch: changes of the commands and their output, not of the journal's format.
  package let version: String
  /// The endings of archives that it reads.
  package let archiveEndings: [String]

  /// Whether it has every command of `pj`, and not only those that need no more than a domain.
  package let hasEveryCommand: Bool

  /// An event type of its domain, which errors name as an example; `nil` for none.
  package let eventType: String?
  /// Whether events of its domain name accounts, by which they can be chosen.
  package let hasAccounts: Bool

  /// A tool that reads no archives has no endings of theirs.
  package init(
    _ name: String, version: String, archiveEndings: [String] = [], hasEveryCommand: Bool = false,
    eventType: String? = nil, hasAccounts: Bool = true
  ) {
    (self.name, self.version, self.archiveEndings) = (name, version, archiveEndings)
    (self.hasEveryCommand, self.eventType, self.hasAccounts) = (hasEveryCommand, eventType, hasAccounts)
  }

  /// Its name and its version, as files and records have them.
  package var title: String { "\(name) \(version)" }

  /// That of the command on this thread. A thread that a command starts is to have it set again.
  @TaskLocal package static var current = Tool("pj", version: "", hasEveryCommand: true)

  /// The name of the tool on this thread.
  package static var name: String { current.name }
}
