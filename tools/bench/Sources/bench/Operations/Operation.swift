/// Something that is measured: a row of the table.
struct Operation {
  enum Unit {
    /// Events a second; more is better.
    case events
    /// Bytes a second.
    case bytes
    /// Time of one call; less is better.
    case time
    /// A number without unit; less is better.
    case number
    /// How many times as fast one way is as another, when both are ours; more is better.
    case ratio
  }

  typealias Measurement = () throws -> Sample

  /// What `--only` looks for.
  let name: String
  let title: String
  let unit: Unit
  /// Who takes part, the one first that is compared with the others.
  private(set) var contestants: [(contestant: Contestant, measure: Measurement)] = []
  /// How many times as fast as another contestant the first one is to be.
  var goals: [Contestant: Double] = [:]
  /// What the first one's figure is not to exceed: seconds, or a number.
  var limit: Double?
  /// What the first one's figure is not to fall below: events or bytes a second, or a ratio.
  var floor: Double?

  init(
    _ name: String, _ title: String, _ unit: Unit, goals: [Contestant: Double] = [:], limit: Double? = nil,
    floor: Double? = nil
  ) {
    self.name = name
    self.title = title
    self.unit = unit
    self.goals = goals
    self.limit = limit
    self.floor = floor
  }

  /// Adds a contestant.
  func with(_ contestant: Contestant, _ measure: @escaping Measurement) -> Operation {
    var copy = self
    copy.contestants.append((contestant, measure))
    return copy
  }

  /// Adds all other engines.
  func withPeers(_ measure: @escaping (Contestant) throws -> Sample) -> Operation {
    Contestant.peers.reduce(self) { operation, peer in
      operation.with(peer.contestant) { try measure(peer.contestant) }
    }
  }
}
