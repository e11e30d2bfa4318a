/// What stands at a place of the file `KEYFRAMES`.
public enum KeyframeStep: Equatable, Sendable {
  /// An entry whose header verifies.
  case entry(Keyframe)
  /// Pages, numbered from 0, that belong to no entry that can be found, and what is wrong with the first of them.
  case unreadable(pages: Range<UInt64>, JournalError)

  /// The page behind it.
  var end: UInt64 {
    switch self {
    case .entry(let keyframe): keyframe.end
    case .unreadable(let pages, _): pages.upperBound
    }
  }
}
