import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics

/// The options that choose events, and the filter that they make.
enum FilterInput {
  /// The options, for the table.
  static let options: [OptionDescription] = [
    OptionDescription(
      "type", value: "GLOB", repeatable: true, completion: .asks("types"),
      "Only events of these types, such as wipe.requested or policy.*."),
    OptionDescription(
      "not-type", value: "GLOB", repeatable: true, completion: .asks("types"),
      "No events of these types."),
    OptionDescription(
      "account", value: "ACCOUNT", repeatable: true, completion: .asks("accounts"),
      "Only events that concern this account: its pseudonym, object id or user principal name."),
    OptionDescription(
      "path", value: "PATH", repeatable: true, completion: .asks("paths"),
      "Only events that changed this part of the state."),
    OptionDescription("findings", "Only events that point to a mistake in the app."),
    OptionDescription(
      "caused-by", value: "POSITION", completion: .asks("positions"),
      "Only events that followed from this one, directly or through others."),
    OptionDescription("grep", short: "g", value: "REGEX", "Only events whose shown text matches the expression."),
    OptionDescription(
      "where", short: "w", value: "CONDITION", "Only events for which the condition holds: pj help filters."),
  ]

  /// What a condition can ask of the events of the tool's domain.
  static var fields: [FilterTest.Field] {
    FilterTest.Field.allCases.filter { $0 != .account || Tool.current.hasAccounts }
  }

  /// The requested filter.
  static func filter(_ arguments: ParsedArguments, _ journal: JournalInput) throws(Failure) -> EventFilter {
    var filter = EventFilter()
    filter.types = try PatternInput.globs(arguments.values(of: "type"), option: "type")
    filter.excludedTypes = try PatternInput.globs(arguments.values(of: "not-type"), option: "not-type")
    if Tool.current.hasAccounts {
      filter.accounts = try PatternInput.globs(arguments.values(of: "account"), option: "account")
    }
    filter.paths = try PatternInput.globs(arguments.values(of: "path"), option: "path")
    filter.wantsFindings = arguments.flag("findings")
    if let domain = journal.otherDomain, !filter.paths.isEmpty || filter.wantsFindings {
      throw Failure(
        .needsNewerTool,
        "\(journal.path): only the program of the domain \"\(domain)\" knows the states of this journal",
        next: "\(Tool.name) help own-domain")
    }
    if let word = arguments.value(of: "caused-by") {
      let position = try PositionInput.position(word)
      let resolver = try journal.positions.resolver(for: [position])
      do throws(PositionError) {
        filter.causedBy = try resolver.event(position)
      } catch {
        throw journal.positions.failure(error)
      }
    }
    if let pattern = arguments.value(of: "grep") { filter.search = try expression(pattern, option: "-g") }
    if let text = arguments.value(of: "where") {
      do throws(FilterError) {
        filter.condition = try FilterExpression(text, fields: fields)
      } catch {
        throw Failure(error, option: "-w")
      }
    }
    return filter
  }

  /// A regular expression.
  static func expression(_ pattern: String, option: String) throws(Failure) -> TextPattern {
    do throws(FilterError) {
      return try TextPattern(pattern)
    } catch {
      throw Failure(error, option: option)
    }
  }
}
