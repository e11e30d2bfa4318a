import EventSourcing

extension AccountNames {
  /// All names of an account that a state of the domain knows.
  public init<Domain: HistoryDomain>(ofAccount number: UInt64, in state: Domain.State?, of domain: Domain.Type) {
    self.init(
      pseudonym: EventAccounts.pseudonym(number),
      identities: state.map { Domain.identities(of: number, EventAccounts.kind, in: $0) } ?? [])
  }
}
