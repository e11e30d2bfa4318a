import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing

@testable import CommandSupport

@Suite("Who last changed a value")
struct BlameTests {
  typealias Machine = AppProtectionMachine

  /// What changed each value, found by comparing every two states in full.
  private static func changes(in history: History<Machine>, upTo last: UInt64) throws -> [String: [UInt64]] {
    var changes: [String: [UInt64]] = [:]
    var before = Machine.initialState.tree()
    var cursor = try history.cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, step.record.sequence <= last, let state = step.after else { continue }
      let after = state.tree()
      for change in StateDiff(from: before, to: after).changes {
        changes[change.path, default: []].append(step.record.sequence)
      }
      before = after
    }
    return changes
  }

  @Test(
    "Each value names the events that changed it, the newest first",
    arguments: [
      "first-enrollment", "interrupted-wipe", "multi-identity-day", "remediation-queue", "framework-history",
    ],
    [1.0, 0.6])
  func everyValue(name: String, part: Double) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let last = UInt64(Double(try history.lastSequence()) * part)
    let state = try history.state(at: .sequence(last)).state
    let expected = try Self.changes(in: history, upTo: last)
    let blame = try Blame(of: PathPattern(Glob("/")), in: history, upTo: last, state: state, limit: 1000)
    let values = Dictionary(blame.values.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    expectEqual(values.count, blame.values.count)
    #expect(Set(values.keys).isSuperset(of: expected.keys))
    for value in blame.values {
      let writers = expected[value.path] ?? []
      #expect(
        value.writes.map(\.sequence) == writers.reversed() && value.count == UInt64(writers.count), "\(value.path)")
      #expect(value.writes.allSatisfy { $0.isChange })
      #expect(value.writes.isEmpty || value.writes.first?.after == value.value, "\(value.path)")
    }
    for leaf in state.tree().leaves() where leaf.value != .unset { expectEqual(values[leaf.path]?.value, leaf.value) }
  }

  @Test("A pattern shows the values that it matches, and no others")
  func patterns() throws {
    let history = try History<Machine>(at: Repository.journal("framework-history"))
    let state = try history.state(at: .end).state
    let last = try history.lastSequence()
    func paths(_ pattern: String) throws -> [String] {
      try Blame(of: PathPattern(Glob(pattern)), in: history, upTo: last, state: state).values.map(\.path)
    }
    let all = try paths("/")
    for pattern in ["/policies", "/accounts/*/status", "/*/a1", "/POLICIES/a1/version", "*version", "/p*", "/nothing"] {
      try expectEqual(paths(pattern), all.filter { PathPattern(Glob(pattern)).matches($0) }, "\(pattern)")
    }
  }

  @Test("Only the newest events are named if there are more than asked for")
  func limit() {
    let run = ToolRun("blame", Repository.journal("framework-history"), "/policies/a1/version", "-n", "2", "-j")
    expectEqual(run.code, .done)
    let line = run.lines.dropFirst().first ?? ""
    #expect(line.contains("\"setBy\":355,\"count\":4,"))
    expectEqual(line.ranges(of: "\"event\":").count, 2)
    #expect(
      ToolRun("blame", Repository.journal("framework-history"), "/policies/a1/version", "-n", "2").output.contains(
        "2 earlier events"))
  }

  @Test("An event that sets a value to what it is counts only if writes count")
  func repeats() throws {
    let history = try History<Machine>(at: Repository.journal("multi-identity-day"))
    let last = try history.lastSequence()
    let state = try history.state(at: .end).state
    func count(_ countsRepeats: Bool) throws -> [String: [UInt64]] {
      let blame = try Blame(
        of: PathPattern(Glob("/identities/ui")), in: history, upTo: last, state: state, limit: 1000,
        countsRepeats: countsRepeats)
      return Dictionary(
        blame.values.map { ($0.path, $0.writes.filter { !$0.isChange }.map(\.sequence)) },
        uniquingKeysWith: { first, _ in first })
    }
    #expect(try count(false).values.allSatisfy { $0.isEmpty })
    for (path, sequences) in try count(true) {
      for sequence in sequences {
        // The event leaves the value as it is, and would have made it so from what it was before.
        let before = try history.state(at: .sequence(sequence - 1)).state
        let after = try history.state(at: .sequence(sequence)).state
        expectEqual(before.tree(at: path), after.tree(at: path))
      }
    }
  }

  @Test(
    "Wrong use names the mistake and the next step",
    arguments: [
      (["blame"], "WHAT is missing. Next: pj help blame"),
      (["blame", "J", "/polices/a1"], "nothing was ever set at /polices/a1 up to event 22; nearest: /policies"),
      (["blame", "J@3", "/policies", "--at", "4"], "the position is given twice: after @ and with --at"),
      (["blame", "J", "/accounts", "-n", "0"], "-n"),
    ])
  func wrongUse(words: [String], note: String) {
    let journal = Repository.journal("interrupted-wipe")
    let run = ToolRun(words.map { $0.hasPrefix("J") ? journal + $0.dropFirst() : $0 })
    expectEqual(run.code, .wrongUse)
    #expect(run.notes.contains(note), "\(run.notes)")
    #expect(run.output.isEmpty)
  }

  @Test("Damage ends in 3, and what is known before it is shown")
  func damage() {
    let run = ToolRun("blame", Repository.journal("damaged-frame"), "/process/launch")
    expectEqual(run.code, .partial)
    #expect(run.output.contains("/process/launch"))
    #expect(run.notes.contains("pj salvage"))
  }
}
