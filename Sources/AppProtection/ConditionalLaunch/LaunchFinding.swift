import EventSourcing
import WireFormat

/// A launch condition that is not met, and what this leads to.
public struct LaunchFinding: Message, Hashable, CustomStringConvertible {
  /// The condition.
  public let rule: LaunchRule
  /// What it leads to by itself.
  public let outcome: LaunchOutcome
  /// What was compared, in wire format; empty where nothing says so. A replay folds findings without looking at it.
  private let encodedComparison: [UInt8]

  /// What was compared, in a finding of the journal; `nil` in a decision, in journals of earlier programs, and where the
  /// bytes are not those of a comparison. Decodes it: O(size).
  public var comparison: LaunchComparison? {
    guard !encodedComparison.isEmpty else { return nil }
    return encodedComparison.withUnsafeBytes { bytes in
      var reader = WireReader(bytes)
      return try? LaunchComparison(from: &reader)
    }
  }

  /// Creates a finding.
  public init(_ rule: LaunchRule, _ outcome: LaunchOutcome, comparison: LaunchComparison? = nil) {
    var writer = WireWriter()
    comparison?.encode(into: &writer)
    self.init(rule, outcome, encodedComparison: writer.bytes)
  }

  private init(_ rule: LaunchRule, _ outcome: LaunchOutcome, encodedComparison: [UInt8]) {
    self.rule = rule
    self.outcome = outcome
    self.encodedComparison = encodedComparison
  }

  /// The rule's name and the outcome, such as `launch.osMinimum warn`.
  public var description: String { "\(rule.id) \(outcome.name)" }

  /// The fields.
  public static let descriptor = MessageDescriptor(
    "LaunchFinding",
    [
      FieldDescriptor(1, "rule", .enumeration(LaunchRule.descriptor), .single, "the launch condition that is not met"),
      FieldDescriptor(
        2, "outcome", .enumeration(LaunchOutcome.descriptor), .single, "what this leads to by itself"),
      FieldDescriptor(
        3, "comparison", .message(LaunchComparison.descriptor), .optional, "the setting and the fact that were compared"
      ),
    ])

  /// Writes the fields.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: rule)
    writer.write(2, enumeration: outcome)
    writer.write(3, bytes: encodedComparison)
  }

  /// Reads the fields.
  public init(from reader: inout WireReader) throws(WireError) {
    var rule = LaunchRule.met
    var outcome = LaunchOutcome.allowed
    var comparison: [UInt8] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: rule = try reader.enumeration(field, as: LaunchRule.self)
      case 2: outcome = try reader.enumeration(field, as: LaunchOutcome.self)
      case 3: comparison = try reader.bytes(field)
      default: try reader.skip(field)
      }
    }
    self.init(rule, outcome, encodedComparison: comparison)
  }

  /// In one line.
  public func tree() -> StateTree { .value(.text(description)) }

  /// Puts findings in the order in which they count: a wipe before a block, a block before a prompt, a prompt before a
  /// warning; within one severity by the rules' order.
  static func sort(_ findings: inout [LaunchFinding], by order: LaunchOrder) {
    // Mostly there are none: the app was opened before.
    guard findings.count > 1 else { return }
    let ranked = LaunchRule.ranked(order)
    func rank(_ finding: LaunchFinding) -> (Int, Int) {
      (finding.outcome.severityRank, ranked.firstIndex(of: finding.rule) ?? ranked.count)
    }
    findings.sort { rank($0) < rank($1) }
  }
}
