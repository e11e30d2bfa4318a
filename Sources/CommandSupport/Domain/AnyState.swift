import EventSourcing
import Forensics

/// A state of the tool's domain, whose type only that domain knows: its parts, and what tells it from another.
@usableFromInline
package struct AnyState: Sendable {
  /// The state itself.
  @usableFromInline package let value: any MachineState
  private let identify: @Sendable (UInt64) -> [String]

  @usableFromInline
  package init<Domain: QuestionDomain & Decider>(_ state: Domain.State, of domain: Domain.Type) {
    value = state
    identify = { Domain.identities(of: $0, EventAccounts.kind, in: state) }
  }

  /// The state as one of a domain, which is the tool's.
  @usableFromInline
  func of<Domain: Reducer>(_ domain: Domain.Type) -> Domain.State { value as? Domain.State ?? Domain.initialState }

  /// The whole state in readable form.
  package func tree() -> StateTree { value.tree() }

  /// The part at a path; `nil` if nothing is there.
  package func tree(at path: String) -> StateTree? { value.tree(at: path) }

  /// What differs in a later state of the same domain.
  package func changes(to later: AnyState) -> StateDiff { Self.changes(from: value, to: later.value) }

  /// Its digest.
  package func digest(as scheme: StateDigest.Scheme) -> StateDigest { Self.digest(of: value, as: scheme) }

  /// All names that it knows of the account that events refer to by a number.
  package func names(ofAccount number: UInt64) -> AccountNames {
    AccountNames(pseudonym: EventAccounts.pseudonym(number), identities: identify(number))
  }

  private static func changes<State: MachineState>(from state: State, to later: any MachineState) -> StateDiff {
    // A tool has one domain, and so one type of state.
    (later as? State).map { state.changes(to: $0) } ?? StateDiff()
  }

  private static func digest(of state: some MachineState, as scheme: StateDigest.Scheme) -> StateDigest {
    StateDigest(of: state, as: scheme)
  }
}
