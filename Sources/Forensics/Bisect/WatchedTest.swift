import EventSourcing

/// A test of a condition, and what its result rests on.
@usableFromInline
struct WatchedTest<Domain: QuestionDomain>: Sendable {
  @usableFromInline let test: StateTest<Domain>
  /// Whether it holds; `nil` where that rests on a value that cannot be compared.
  @usableFromInline var holds: Bool?
  /// The slices that a path can match.
  @usableFromInline let slices: [Int]
  /// The paths with values that pass.
  @usableFromInline var passing: Set<String> = []
  /// The paths with values that cannot be compared.
  @usableFromInline var uncertain: Set<String> = []
  /// A value that has no order to compare it in, as long as none was met that has.
  @usableFromInline var unordered: UnorderedValue?
  @usableFromInline var hasOrdered = false
  /// Whether any value was ever set there.
  @usableFromInline var hasMatched = false
  /// The question whose answer is tested.
  @usableFromInline var asked: RepeatedQuestion<Domain>?
  /// Whether paths match, of those seen so far.
  @usableFromInline var known: [String: Bool] = [:]

  @inlinable
  init(_ test: StateTest<Domain>, _ state: Domain.State, at moment: Moment) {
    self.test = test
    switch test {
    case .value(let path, let value):
      slices = path.slices(of: Domain.State.sliceNames)
      for slice in slices {
        for leaf in state.tree(ofSlice: slice).leaves(under: "/" + Domain.State.sliceNames[slice])
        where path.matches(leaf.path) {
          if leaf.value != .unset { hasMatched = true }
          recordOrder(of: leaf.value, value, at: leaf.path)
          record(value.holds(for: leaf.value), at: leaf.path)
        }
      }
      holds = isPassing
    case .answer(let question, let name):
      slices = []
      let first = RepeatedQuestion<Domain>(question.question, state, at: moment)
      (asked, holds) = (first, name.matches(first.answer.name))
    }
  }

  /// Whether a value passes: one is enough.
  @inlinable var isPassing: Bool? { !passing.isEmpty ? true : uncertain.isEmpty ? false : nil }

  @inlinable
  mutating func record(_ result: Bool?, at path: String) {
    if result == nil { uncertain.insert(path) } else { uncertain.remove(path) }
    if result == true { passing.insert(path) } else { passing.remove(path) }
  }

  @inlinable
  mutating func recordOrder(of value: StateValue?, _ test: ValueTest, at path: String) {
    guard !hasOrdered, let value, value != .unset else { return }
    if !test.isWithoutOrder(for: value) {
      (hasOrdered, unordered) = (true, nil)
    } else if unordered == nil {
      unordered = UnorderedValue(path: path, value: value)
    }
  }

  /// Follows an event's changes; what made the test flip, if it did.
  @inlinable
  mutating func update(
    _ before: borrowing Domain.State, _ after: borrowing Domain.State, _ changed: ChangedSlices, at moment: Moment,
    _ differ: StateDiffer
  ) -> [Bisection<Domain>.Reason] {
    let held = holds
    // Looked at before the test itself, which most events do not concern and whose parts are counted when it is copied.
    guard asked == nil ? slices.contains(where: changed.contains) : asked?.ask(after, at: moment) ?? false else {
      return []
    }
    switch test {
    case .value(let path, let value):
      var changes: [StateChange] = []
      differ.forEachChange(from: before, to: after, inSlices: slices, among: changed) { change in
        if matches(change.path, path) { changes.append(change) }
      }
      if changes.isEmpty { return [] }
      for change in changes {
        hasMatched = true
        recordOrder(of: change.after, value, at: change.path)
        record(value.holds(for: change.after), at: change.path)
      }
      holds = isPassing
      return holds == held ? [] : changes.map { .value($0) }
    case .answer(let question, let name):
      guard let asked else { return [] }
      holds = name.matches(asked.answer.name)
      return holds == held ? [] : [.answer(question: question.text, before: asked.earlier, after: asked.answer)]
    }
  }

  /// Matching costs more than remembering what matches.
  @inlinable
  mutating func matches(_ path: String, _ pattern: PathPattern) -> Bool {
    if let isMatch = known[path] { return isMatch }
    let isMatch = pattern.matches(path)
    if known.count < 65_536 { known[path] = isMatch }
    return isMatch
  }
}
