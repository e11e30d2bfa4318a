/// What a log says about an event, in the words of its domain, while it is put together.
///
/// ```
/// 214 notEnrolledAccount, enrolling → registered, not retried
/// ```
///
/// A log uses one headline for all of its lines, which then need no memory of their own. It belongs to one thread at a
/// time.
public final class Headline {
  // It belongs to one thread, and nothing called while a property changes comes back, so that accesses need no check.
  /// The text so far, in UTF-8. It is as recorded: what prints to a terminal must escape control characters.
  @exclusivity(unchecked) public private(set) var text: [UInt8] = []
  /// What the event changed; empty if that is unknown.
  @exclusivity(unchecked) public private(set) var changes: [StateChange] = []
  /// One bit for each of the first changes: whether the text covers it.
  @exclusivity(unchecked) private var covered: UInt64 = 0
  private let appendValue: (StateValue?, inout [UInt8]) -> Void

  /// `appendValue` appends the text of a value, or what stands in for one that is withheld.
  public init(_ appendValue: @escaping (StateValue?, inout [UInt8]) -> Void) {
    self.appendValue = appendValue
  }

  /// Begins the headline of an event that made these changes.
  public func begin(_ changes: [StateChange]) {
    text.removeAll(keepingCapacity: true)
    self.changes = changes
    covered = 0
  }

  /// Adds words.
  public func add(_ words: StaticString) {
    words.withUTF8Buffer { text.append(contentsOf: $0) }
  }

  /// Adds a name of the domain, which is never withheld.
  public func add(name: String) {
    text.append(contentsOf: name.utf8)
  }

  /// Adds a whole number.
  public func add(_ number: some BinaryInteger) {
    add(name: String(number))
  }

  /// Adds a number and a noun, which gets an `s` unless the number is 1.
  public func add(_ number: Int, _ noun: StaticString) {
    add(number)
    add(" ")
    add(noun)
    if number != 1 { add("s") }
  }

  /// Adds a value, by its privacy.
  public func add(_ value: StateValue?) {
    appendValue(value, &text)
  }

  /// Adds an offset from UTC in nanoseconds: `UTC+02:00`.
  public func add(utcOffset nanoseconds: Int64) {
    add(nanoseconds < 0 ? "UTC-" : "UTC+")
    let minutes = nanoseconds.magnitude / 60_000_000_000
    if minutes < 600 { add("0") }
    add(minutes / 60)
    add(minutes % 60 < 10 ? ":0" : ":")
    add(minutes % 60)
  }

  /// Adds both values of the first change whose path ends in `name` and begins with `prefix`: `enrolling → enrolled`.
  /// Returns `false`, and adds nothing, if no such value changed.
  @discardableResult
  public func addChange(
    of name: StaticString, within prefix: StaticString = "/", before words: StaticString = ""
  ) -> Bool {
    guard let index = index(of: name, within: prefix) else { return false }
    add(words)
    add(changes[index].before)
    add(" → ")
    add(changes[index].after)
    cover(index)
    return true
  }

  /// The first change whose path ends in `name` and begins with `prefix`, which then counts as covered.
  public func change(of name: StaticString = "", within prefix: StaticString = "/") -> StateChange? {
    guard let index = index(of: name, within: prefix) else { return nil }
    cover(index)
    return changes[index]
  }

  /// Adds the first changes below a path, each with what follows the path: `multiIdentity: false → true`.
  ///
  /// - Parameters:
  ///   - path: The path, with a slash at its end.
  ///   - parts: The number of names after the path that are left out, such as that of an account.
  ///   - limit: The most changes.
  ///   - isChosen: Whether to add a change.
  public func addChanges(
    below path: StaticString, afterParts parts: Int = 0, limit: Int = 3,
    where isChosen: (StateChange) -> Bool = { _ in true }
  ) {
    var count = 0
    for (index, change) in changes.enumerated() where Self.path(change.path, isBelow: path) && isChosen(change) {
      guard count < limit else { return }
      if count > 0 { add(", ") }
      var name = Substring(change.path).utf8.dropFirst(path.utf8CodeUnitCount)
      for _ in 0..<parts { name = name.drop { $0 != UInt8(ascii: "/") }.dropFirst() }
      text.append(contentsOf: name)
      add(": ")
      add(change.before)
      add(" → ")
      add(change.after)
      cover(index)
      count += 1
    }
  }

  /// Counts the changes below a path as covered, or those of them that `isCovered` accepts.
  public func cover(below path: StaticString, where isCovered: (StateChange) -> Bool = { _ in true }) {
    for (index, change) in changes.enumerated() where Self.path(change.path, isBelow: path) && isCovered(change) {
      cover(index)
    }
  }

  /// Whether the text covers the change with this index.
  public func covers(_ index: Int) -> Bool {
    index < UInt64.bitWidth && covered & (1 << UInt64(index)) != 0
  }

  private func cover(_ index: Int) {
    if index < UInt64.bitWidth { covered |= 1 << UInt64(index) }
  }

  private func index(of name: StaticString, within prefix: StaticString = "/") -> Int? {
    changes.firstIndex { Self.path($0.path, isBelow: prefix) && Self.path($0.path, endsIn: name) }
  }

  private static func path(_ path: String, endsIn name: StaticString) -> Bool {
    var path = path
    return path.withUTF8 { path in
      let start = path.count - name.utf8CodeUnitCount
      guard start < path.count else { return true }
      return start > 0 && path[start - 1] == UInt8(ascii: "/") && holds(path, name, at: start)
    }
  }

  private static func path(_ path: String, isBelow prefix: StaticString) -> Bool {
    var path = path
    return path.withUTF8 { holds($0, prefix, at: 0) }
  }

  /// Whether a text has a part in this place. Over bytes, because a log asks this of many paths.
  private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ part: StaticString, at start: Int) -> Bool {
    part.withUTF8Buffer { part in
      guard part.count <= text.count - start else { return false }
      for index in part.indices where text[start + index] != part[index] { return false }
      return true
    }
  }
}
