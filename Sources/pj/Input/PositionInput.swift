import Forensics

/// Reads positions, with failures that name the word.
enum PositionInput {
  /// A position.
  static func position(_ word: String) throws(Failure) -> NamedPosition {
    do throws(PositionError) {
      return try NamedPosition(word)
    } catch {
      throw Failure(error)
    }
  }

  /// A range.
  static func range(_ word: String) throws(Failure) -> NamedRange {
    do throws(PositionError) {
      return try NamedRange(word)
    } catch {
      throw Failure(error)
    }
  }

  /// A journal with a position.
  static func journalPosition(_ word: String) throws(Failure) -> JournalPosition {
    do throws(PositionError) {
      return try JournalPosition(word)
    } catch {
      throw Failure(error)
    }
  }
}
