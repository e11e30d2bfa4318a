import AppProtection
import AppProtectionInsight

/// What the command line asks for: `FOLDER [--journals N] [--seed S] [--healthy PERCENT] [--share FAMILY[=WEIGHT]]...`.
struct FleetOptions: Equatable {
  /// The folder to write.
  var folder: String
  /// What to write into it.
  var plan = FleetPlan(count: 10_000, seed: 1)

  /// A command line that cannot be carried out.
  struct WrongUse: Error, Equatable, CustomStringConvertible {
    /// The reason and the next step.
    var description: String
  }

  /// Reads the words after the program's name.
  init(_ words: [String]) throws(WrongUse) {
    guard let folder = words.first, !folder.isEmpty, !folder.hasPrefix("-") else {
      throw WrongUse(description: "the new folder's name comes first; see tools/fleet --help")
    }
    self.folder = folder
    var rest = words.dropFirst()
    var weights: [(family: ProblemFamily, weight: Int)] = []
    while let option = rest.popFirst() {
      let value = rest.popFirst() ?? ""
      func number(in range: ClosedRange<Int>) throws(WrongUse) -> Int {
        guard let number = Int(value), range.contains(number) else {
          throw WrongUse(
            description: "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(value)'")
        }
        return number
      }
      switch option {
      case "--journals": plan.count = try number(in: 1...FleetPlan.maximumCount)
      case "--seed": plan.seed = UInt64(try number(in: 0...4_294_967_295))
      case "--healthy": plan.healthyPercent = try number(in: 0...100)
      case "--share": weights.append(try Self.share(value))
      default: throw WrongUse(description: "'\(option)' is not understood here; see tools/fleet --help")
      }
    }
    if !weights.isEmpty { plan.weights = weights }
  }

  /// A family and its weight: `jailbreak=3`.
  private static func share(_ word: String) throws(WrongUse) -> (family: ProblemFamily, weight: Int) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let family = ProblemFamily(rawValue: parts[0]) else {
      throw WrongUse(description: "--share \(word): no family has this name; see pj diagnose --families")
    }
    guard parts.count > 1 else { return (family, 1) }
    guard let weight = Int(parts[1]), (1...1_000_000).contains(weight) else {
      throw WrongUse(description: "--share \(word): the weight is a whole number from 1 to 1,000,000")
    }
    return (family, weight)
  }
}
