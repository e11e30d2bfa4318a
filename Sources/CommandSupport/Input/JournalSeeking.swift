import CommandLineInterface
import PlainText

/// Answers from single places of a long journal: what commands say of the events that were not read.
package enum JournalSeeking {
  /// The option that reads everything.
  package static let option = OptionDescription(
    "verify",
    "Read and verify the whole journal. Otherwise, of a journal of 4 MiB or more, only what the answer needs is read.")

  /// The largest number of ranges that a note lists.
  private static let listedRanges = 6

  /// Says on standard error which events were not verified, if any.
  package static func note(_ journals: JournalInput..., in context: CommandContext) {
    note(journals, in: context)
  }

  package static func note(_ journals: [JournalInput], in context: CommandContext) {
    for (path, ranges) in journals.unread {
      var names = ranges.prefix(listedRanges).map { VerifyText.events($0) }
      if ranges.count > listedRanges {
        let rest = ranges.dropFirst(listedRanges).reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 }
        names.append("\(rest.grouped) other events")
      }
      let last = names.removeLast()
      let list = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
      context.note("\(path): not verified, because not read: \(list); --verify reads everything")
    }
  }
}

extension JournalInput {
  /// Opens a journal of which the command needs only some places.
  package convenience init(
    seekingIn path: String, _ context: CommandContext, isWhole: Bool = false
  ) throws(Failure) {
    let seeks = !isWhole && !context.arguments.flag("verify")
    try self.init(path, context.environment, seeksFrom: seeks ? context.environment.seekingSize : nil)
  }
}
