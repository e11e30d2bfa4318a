/// Segments of another domain in a journal: their events mean something else, so they are left out.
extension Salvage {
  /// The domain that `JOURNAL` names; `nil` where there is none.
  ///
  /// - Throws: `otherDomain` where there are several that name different ones.
  func statedDomain(of source: JournalID) throws(JournalError) -> String?? {
    let domains = identities.filter { self.source(of: $0.id) == source && !$0.isDomainUnknown }.map(\.domain)
    guard let first = domains.first else { return .none }
    if let other = domains.first(where: { $0 != first }) {
      throw JournalError(
        .otherDomain,
        "one JOURNAL names the domain \(DomainName.quoted(first)), and another one \(DomainName.quoted(other))",
        remedy: "salvage the files of one domain at a time")
    }
    return .some(first)
  }

  /// The segments of a journal whose headers name another domain than its `JOURNAL`.
  func tracesOfOtherDomains(than source: JournalID) throws(JournalError) -> Set<Int> {
    guard let domain = try statedDomain(of: source) else { return [] }
    return Set(
      traces.indices.filter { index in
        guard let header = traces[index].header else { return false }
        return self.source(of: header.id) == source && header.domain != domain
      })
  }

  /// The error where all events that were found are in such segments.
  func ofOtherDomain(_ trace: Int, _ source: JournalID) -> JournalError {
    JournalError(
      .otherDomain, "\(domains(of: trace, source)), and no event of that domain was found",
      remedy: "salvage the files without JOURNAL, or add other copies of them", file: files[traces[trace].file].path)
  }

  /// A loss with the file of another domain that has events of these numbers.
  func explained(_ loss: SalvageLoss, _ strange: Set<Int>, _ source: JournalID) -> SalvageLoss {
    guard loss.file == nil, let events = loss.events,
      let fragment = fragments.first(where: {
        strange.contains($0.trace) && $0.first <= events.upperBound && $0.last >= events.lowerBound
      })
    else { return loss }
    var loss = loss
    loss.file = files[fragment.file].path
    loss.byteRange = fragment.start..<fragment.end
    loss.cause = domains(of: fragment.trace, source)
    return loss
  }

  private func domains(of trace: Int, _ source: JournalID) -> String {
    let stated = (try? statedDomain(of: source)) ?? .none
    return "the segment header names the domain \(DomainName.quoted(traces[trace].header?.domain)), and JOURNAL "
      + DomainName.quoted(stated ?? nil)
  }
}
