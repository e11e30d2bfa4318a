/// The path of a part of a state, such as `/accounts/a1/status`, shared by all changes found at one place.
public final class StatePath: Equatable, Sendable {
  /// The path.
  public let text: String
  /// How well the part describes the event that changed it; `nil` if no domain was asked.
  public let rank: HeadlineRank?

  /// `text` begins with a slash.
  init(_ text: String, rank: HeadlineRank? = nil) {
    self.text = text
    self.rank = rank
  }

  /// Compares the paths alone.
  public static func == (one: StatePath, other: StatePath) -> Bool { one === other || one.text == other.text }
}

/// A part of a state while two states are compared: its path, and the parts below it that differed before.
public final class StatePlace {
  /// The path.
  let path: StatePath
  /// The text that precedes the names of the parts below.
  private let prefix: String
  // A differ belongs to one thread, and nothing called while these change comes back, so that accesses need no check.
  /// The parts below with small numbers, which are those of fields.
  @exclusivity(unchecked) private var near: [StatePlace?] = []
  /// The other parts below.
  @exclusivity(unchecked) private var others: [UInt64: StatePlace] = [:]

  /// The whole state.
  init() {
    path = StatePath("/")
    prefix = ""
  }

  private init(_ text: String, rank: HeadlineRank?) {
    path = StatePath(text, rank: rank)
    prefix = text
  }

  /// The most parts below that are found by their number alone.
  private static let nearCount: UInt64 = 64

  /// The part below with this number, which has one name only. Its path is made up once.
  @usableFromInline
  func part(_ number: UInt64, _ name: () -> String, in differ: StateDiffer) -> StatePlace {
    if number < UInt64(near.count), let known = near[Int(number)] { return known }
    if number >= Self.nearCount, let known = others[number] { return known }
    let text = prefix + "/" + name()
    let part = StatePlace(text, rank: differ.rank?(text))
    differ.countNewPlace()
    if number < Self.nearCount {
      while near.count <= Int(number) { near.append(nil) }
      near[Int(number)] = part
    } else {
      others[number] = part
    }
    return part
  }
}
