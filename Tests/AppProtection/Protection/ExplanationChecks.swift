import Expectations
import EventSourcing
import Testing

@testable import AppProtection

/// Checks that an explanation names exactly one deciding rule, the decision's, and that what it says it read is in the
/// state.
func expectSound<Outcome>(
  _ explanation: Explanation, of decision: Decision<Outcome>, in tree: StateTree,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let deciding = explanation.steps.filter(\.decides)
  expectEqual(deciding.map(\.rule), [decision.rule], sourceLocation: sourceLocation)
  let step = try #require(deciding.first, sourceLocation: sourceLocation)
  #expect(!decision.reason.isEmpty && !step.statement.isEmpty, sourceLocation: sourceLocation)
  for read in explanation.steps.flatMap(\.reads) {
    expectEqual(value(at: read.path, in: tree), read.value, "\(read.path)", sourceLocation: sourceLocation)
  }
  if let assumption = decision.assumption, decision.rule != "saveTo.receiver" {
    let read = step.reads.map(\.path).filter { $0.hasPrefix("/settings/assumptions/") }
    expectEqual(read, ["/settings/assumptions/\(assumption)"], sourceLocation: sourceLocation)
  }
}

/// What is at a path of a state; `unset` where there is nothing.
func value(at path: String, in tree: StateTree) -> StateValue {
  var tree = tree
  for name in path.split(separator: "/") {
    guard case .members(let members) = tree, let member = members.first(where: { $0.name == name }) else {
      return .unset
    }
    tree = member.tree
  }
  if case .value(let value) = tree { return value }
  return .text("not a value")
}

/// An explanation in lines: whether each statement holds, what it read, and which rule decided.
func lines(of explanation: Explanation) -> [String] {
  explanation.steps.map { step in
    let reads = step.reads.isEmpty ? "" : " | " + step.reads.map(\.path).joined(separator: " ")
    return (step.holds ? "+ " : "- ") + step.statement + reads + (step.decides ? " <- \(step.rule)" : "")
  }
}
