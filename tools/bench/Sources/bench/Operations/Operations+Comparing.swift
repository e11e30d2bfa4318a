import AppProtection
import EventSourcing

extension Operations {
  /// Where two long histories first differ. Opening both is a part of it.
  func comparing() -> [Operation] {
    let count = max(options.events, 3 * Fixtures.tail)
    let title = "first difference of two histories of \(grouped(count)) events"
    let (fixtures, calls) = (fixtures, calls)
    return [
      Operation("divergence", title, .time, limit: 0.001).with(.store) {
        let (ours, theirs) = (try fixtures.policies(count), try fixtures.changedPolicies(count))
        return .quantile(
          0.5,
          of: try (0..<calls).map { _ in
            var report: DivergenceReport?
            let sample = try Sample.timing(1) { report = try Self.compare(ours, theirs.path) }
            guard case .different(let sequence, isExact: true)? = report?.divergence,
              (theirs.changed...theirs.changed + 3).contains(sequence)
            else { throw Failure("the difference at \(theirs.changed) was not found: \(String(describing: report))") }
            return sample
          })
      },
      Operation("divergence-reads", "\(title), reads", .number, limit: 50).with(.store) {
        let (ours, theirs) = (try fixtures.policies(count), try fixtures.changedPolicies(count))
        return .count(Double(try Self.compare(ours, theirs.path).reads))
      },
    ]
  }

  /// Opens both and looks for the first difference.
  static func compare(_ one: String, _ other: String) throws -> DivergenceReport {
    try History<AppProtectionMachine>(at: one).findDivergence(from: try History<AppProtectionMachine>(at: other))
  }
}
