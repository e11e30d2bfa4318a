import CommandLineInterface
import CommandSupport
import Forensics
import JSON

/// The edits of a history that only one domain has: options of `whatif`, and commands in JSON in the place of events.
package protocol OwnEdits: AnyObject, SendableMetatype {
  /// The options, in the order in which they apply.
  static var descriptions: [OptionDescription] { get }

  init()

  /// Applies one value of an option, and returns the accounts that it names.
  func apply(
    _ option: String, _ value: String, of journal: JournalInput, to edits: any EditedHistory, _ context: CommandContext
  ) throws(Failure) -> [UInt64]

  /// Called when all values of an option are applied, also of one that every domain has.
  func finish(_ option: String, in beginning: HistoryBeginning, _ edits: any EditedHistory) throws(Failure)

  /// Reads what the rules are to decide in a state.
  func command(_ node: JSONNode, in state: AnyState) throws(JSONError) -> EditContent
}

extension OwnEdits {
  /// The names of the options.
  var options: [String] { Self.descriptions.map(\.name) }
}
