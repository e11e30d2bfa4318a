import EventSourcing

extension AccountNames {
  /// Everything that an account is called by, as far as a state of the domain knows it.
  public init<Domain: HistoryDomain>(ofAccount number: UInt64, in state: Domain.State?, of domain: Domain.Type) {
    self.init(
      pseudonym: EventAccounts.pseudonym(number),
      identities: state.map { Domain.identities(ofAccount: number, in: $0) } ?? [])
  }
}
