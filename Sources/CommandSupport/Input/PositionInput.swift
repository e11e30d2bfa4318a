import Forensics

/// Reads positions, with failures that name the word.
package enum PositionInput {
  /// A position.
  package static func position(_ word: String) throws(Failure) -> NamedPosition {
    do throws(PositionError) {
      return try NamedPosition(word, example: Tool.current.eventType)
    } catch {
      throw Failure(error)
    }
  }

  /// A range.
  package static func range(_ word: String) throws(Failure) -> NamedRange {
    do throws(PositionError) {
      return try NamedRange(word, example: Tool.current.eventType)
    } catch {
      throw Failure(error)
    }
  }

  /// A journal with a position. What exists by the whole name is meant, though an address in it reads like a position.
  package static func journalPosition(_ word: String) throws(Failure) -> JournalPosition {
    if word.contains("@"), Platform.exists(word) { return JournalPosition(path: word, position: nil) }
    do throws(PositionError) {
      return try JournalPosition(word, example: Tool.current.eventType)
    } catch {
      throw Failure(error)
    }
  }

  /// The journal that a word names and the position after its @ or with `--at`; the end if neither is given.
  package static func place(_ word: String, _ context: CommandContext) throws(Failure) -> (path: String, NamedPosition)
  {
    let (input, option) = (try journalPosition(word), context.arguments.value(of: "at"))
    guard input.position == nil || option == nil else {
      throw Failure(
        .wrongUse, "the position is given twice: after @ and with --at",
        next: "\(Tool.name) help \(context.arguments.command.name)")
    }
    return (input.path, try option.map(position) ?? input.position ?? .end)
  }
}
