import EventSourcing

extension HistoryDiagnosis {
  /// Puts causes first, each followed by what it led to.
  ///
  /// A cause is as severe as the worst that it led to.
  static func ranked(_ found: [Diagnosis<Domain.Family>]) -> [Ranked] {
    let inOrder = Array(found.sorted(by: precedes).prefix(maximumFindings))
    // A problem's cause, as a place in that order. Of several, the earliest one counts.
    let causes = inOrder.indices.map { place -> Int? in
      let causes = inOrder.indices.filter { $0 != place && leads($0, to: place, in: inOrder) }
      return causes.min { inOrder[$0].decidingEvent < inOrder[$1].decidingEvent }
    }
    let roots = inOrder.indices.map { root(of: $0, causes) }
    var severities = inOrder.map(\.severity)
    for place in inOrder.indices { severities[roots[place]] = max(severities[roots[place]], inOrder[place].severity) }
    let order = inOrder.indices.filter { roots[$0] == $0 }.sorted { one, other in
      severities[one] == severities[other] ? one < other : severities[one] > severities[other]
    }
    var ranked: [Ranked] = []
    for root in order {
      var diagnosis = inOrder[root]
      diagnosis.severity = severities[root]
      let place = ranked.count
      ranked.append(Ranked(diagnosis: diagnosis, explainedBy: nil))
      for follower in inOrder.indices where roots[follower] == root && follower != root {
        ranked.append(Ranked(diagnosis: inOrder[follower], explainedBy: place))
      }
    }
    return ranked
  }

  /// The most severe first, then the most certain, then the earliest, then in the order of the families.
  private static func precedes(_ one: Diagnosis<Domain.Family>, _ other: Diagnosis<Domain.Family>) -> Bool {
    if one.severity != other.severity { return one.severity > other.severity }
    if one.confidence != other.confidence { return one.confidence > other.confidence }
    if one.decidingEvent != other.decidingEvent { return one.decidingEvent < other.decidingEvent }
    if one.family.id != other.family.id { return one.family.id < other.family.id }
    return one.sentence < other.sentence
  }

  /// Whether one problem led to another. Where each explains the other, the first in order did.
  private static func leads(_ one: Int, to other: Int, in found: [Diagnosis<Domain.Family>]) -> Bool {
    guard found[one].explains(found[other]) else { return false }
    return !found[other].explains(found[one]) || one < other
  }

  /// The first cause of a chain; of a circle, the first problem in order.
  private static func root(of place: Int, _ causes: [Int?]) -> Int {
    var (place, seen) = (place, Set([place]))
    while let cause = causes[place] {
      place = cause
      if !seen.insert(place).inserted { break }
    }
    var first = place
    var next = causes[place]
    while let other = next, other != place { (first, next) = (min(first, other), causes[other]) }
    return first
  }
}
