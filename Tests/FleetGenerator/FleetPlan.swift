import AppProtection
import AppProtectionInsight

/// A fleet of journals to write: how many, with which causes of problems in which shares.
///
/// The same plan always writes the same bytes: each journal follows from the seed and its number alone.
struct FleetPlan: Equatable, Sendable {
  /// The most journals of a fleet.
  static let maximumCount = 1_000_000

  /// The number of journals.
  var count: Int
  /// What everything random follows from.
  var seed: UInt64
  /// The share of journals in which nothing goes wrong, in percent.
  var healthyPercent = 30
  /// The families whose causes are planted in the others, and how often in relation to one another.
  var weights: [(family: ProblemFamily, weight: Int)] = ProblemFamily.allCases.map { ($0, 1) }

  /// A plan in which every family is as frequent as the others.
  init(count: Int, seed: UInt64) { (self.count, self.seed) = (count, seed) }

  /// Whether two plans write the same.
  static func == (one: Self, other: Self) -> Bool {
    one.count == other.count && one.seed == other.seed && one.healthyPercent == other.healthyPercent
      && one.weights.elementsEqual(other.weights) { $0 == $1 }
  }

  /// The cause that is planted in a journal, and its family; none in a healthy one.
  func cause(_ random: inout FleetRandom) -> (family: ProblemFamily?, fault: FleetFault) {
    let total = weights.reduce(0) { $0 + $1.weight }
    guard !random.happens(healthyPercent), total > 0 else { return (nil, .none) }
    var rest = random.number(in: 0...total - 1)
    for (family, weight) in weights {
      if rest < weight { return (family, random.one(of: FleetFault.causes(of: family))) }
      rest -= weight
    }
    return (nil, .none)
  }
}

/// What was planted in one journal of a fleet.
struct FleetMember: Equatable, Sendable {
  /// The journal's folder in that of the fleet.
  var path: String
  /// The family of the problem; `nil` in a healthy journal.
  var family: ProblemFamily?
  /// The cause; `none` in a healthy journal.
  var cause: String
  /// The event that decides the problem; `nil` in a healthy journal.
  var event: UInt64?
  /// The type of that event; `nil` in a healthy journal, and for a damaged event.
  var type: String?
  /// The number of events.
  var events: UInt64
}
