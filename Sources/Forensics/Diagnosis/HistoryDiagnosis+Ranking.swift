import EventSourcing

extension HistoryDiagnosis {
  /// Puts causes first, each followed by what it led to.
  ///
  /// A cause is as severe as the worst that it led to.
  ///
  /// - Parameter opening: The last event that is missing before the first one.
  static func ranked(_ found: [Diagnosis<Domain.Family>], after opening: UInt64 = 0) -> [Ranked] {
    let symptoms = symptoms
    let inOrder = Array(found.sorted { precedes($0, $1, symptoms) }.prefix(maximumFindings))
    // A problem's cause, as a place in that order. Of several, the earliest one counts.
    let causes = inOrder.indices.map { place -> Int? in
      let causes = inOrder.indices.filter { $0 != place && leads($0, to: place, in: inOrder, opening) }
      return causes.min { inOrder[$0].onset < inOrder[$1].onset }
    }
    let roots = inOrder.indices.map { place -> Int in
      let first = root(of: place, causes)
      // A wipe follows from a change of the clock, and the block that the wipe ended had begun before.
      return inOrder[place].isFelt(before: inOrder[first], after: opening) ? place : first
    }
    var severities = inOrder.map(\.severity)
    for place in inOrder.indices { severities[roots[place]] = max(severities[roots[place]], inOrder[place].severity) }
    // What a milder consequence did does not make a cause worse.
    var harms = inOrder.map(\.harm)
    for place in inOrder.indices where inOrder[place].severity == severities[roots[place]] {
      harms[roots[place]] = max(harms[roots[place]], inOrder[place].harm)
    }
    let urgencies = urgencies(of: inOrder, severities, harms, roots)
    let order = inOrder.indices.filter { roots[$0] == $0 }.sorted { one, other in
      urgencies[one] == urgencies[other] ? one < other : urgencies[one] > urgencies[other]
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

  /// How early each cause is shown: what stands at the end before what is over, but what harmed no user after what did, and
  /// damage after what stands, which was decided before the place.
  private static func urgencies(
    of found: [Diagnosis<Domain.Family>], _ severities: [DiagnosisSeverity], _ harms: [DiagnosisHarm], _ roots: [Int]
  ) -> [Urgency] {
    var isStanding = found.map { _ in false }
    for place in found.indices where !found[place].isOver { isStanding[roots[place]] = true }
    var urgencies = found.indices.map { Urgency(severities[$0], harms[$0], isStanding: isStanding[$0]) }
    let stands = found.indices.contains { place in
      roots[place] == place && urgencies[place] >= .warning && found[place].family != .damagedJournal
    }
    guard stands else { return urgencies }
    for place in found.indices where found[place].family == .damagedJournal && urgencies[place] > .damage {
      urgencies[place] = .damage
    }
    return urgencies
  }

  /// How early a cause with its consequences is shown.
  private enum Urgency: Int, Comparable {
    case bystanderNote, pastIrregularNote, irregularNote, pastNote, note
    case pastIrregularWarning, irregularWarning, pastWarning, pastCritical, damage, warning, critical

    init(_ severity: DiagnosisSeverity, _ harm: DiagnosisHarm, isStanding: Bool) {
      self =
        switch (severity, harm) {
        case (.note, .bystander): .bystanderNote
        case (.note, .irregular): isStanding ? .irregularNote : .pastIrregularNote
        case (.note, .user): isStanding ? .note : .pastNote
        case (.warning, .user): isStanding ? .warning : .pastWarning
        case (.warning, _): isStanding ? .irregularWarning : .pastIrregularWarning
        case (.critical, _): isStanding ? .critical : .pastCritical
        }
    }

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// The families that most others can lead to: they tell least.
  private static var symptoms: Set<Domain.Family> {
    let families = Array(Domain.Family.allCases)
    let counts = families.map { family in families.count { $0.explains.contains(family) } }
    guard let most = counts.max(), most > 0 else { return [] }
    return Set(families.indices.filter { counts[$0] == most }.map { families[$0] })
  }

  /// The most severe first, then the most harmful, then the most certain, then what is not a mere symptom, then the earliest,
  /// then in the order of the families.
  private static func precedes(
    _ one: Diagnosis<Domain.Family>, _ other: Diagnosis<Domain.Family>, _ symptoms: Set<Domain.Family>
  ) -> Bool {
    if one.severity != other.severity { return one.severity > other.severity }
    if one.harm != other.harm { return one.harm > other.harm }
    if one.confidence != other.confidence { return one.confidence > other.confidence }
    let isSymptom = symptoms.contains(one.family)
    if isSymptom != symptoms.contains(other.family) { return !isSymptom }
    if one.onset != other.onset { return one.onset < other.onset }
    if one.family.id != other.family.id { return one.family.id < other.family.id }
    return one.sentence < other.sentence
  }

  /// Whether one problem led to another. Where each explains the other, the first in order did.
  private static func leads(
    _ one: Int, to other: Int, in found: [Diagnosis<Domain.Family>], _ opening: UInt64
  ) -> Bool {
    guard found[one].explains(found[other], after: opening) else { return false }
    return !found[other].explains(found[one], after: opening) || one < other
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
