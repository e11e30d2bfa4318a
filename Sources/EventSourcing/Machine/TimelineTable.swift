/// What a domain says about its timelines: everything else is the same for every domain.
///
/// ```swift
/// static let timeline = TimelineTable([
///   LaneGroup("Loans", [LaneRule("/loans/*/status", label: "*", tones: ["late": .bad])], types: ["loan"])
/// ])
/// ```
public struct TimelineTable: Sendable {
  /// The groups of lanes, in the order in which they are drawn.
  public let groups: [LaneGroup]
  /// The questions beside events that change a part of the state: a path with at most one `*`, and the question, in which `*`
  /// stands for the same name, as in `/policies/*/version` and `managed(*)`.
  public let questions: [(path: String, question: String)]
  /// The number of the event type that records the orderly end of a process; `nil` if the domain has none.
  public let processEnd: UInt32?

  /// Only `groups` cannot be omitted.
  public init(
    _ groups: [LaneGroup], questions: [(path: String, question: String)] = [], processEnd: UInt32? = nil
  ) {
    (self.groups, self.questions, self.processEnd) = (groups, questions, processEnd)
  }
}

/// Lanes that belong together, under one title.
public struct LaneGroup: Sendable {
  /// The title.
  public let title: String
  /// The parts of the state that have lanes.
  public let lanes: [LaneRule]
  /// The event types whose events are drawn here: whole names, or the first words of names.
  public let types: [String]
  /// The name of the lane for events that concern none of the others.
  public let rest: String

  /// `types` lists each type, or first word of one, in one group only.
  public init(_ title: String, _ lanes: [LaneRule] = [], types: [String], rest: String = "other") {
    (self.title, self.lanes, self.types, self.rest) = (title, lanes, types, rest)
  }

  /// Whether each account has a lane of its own.
  public var isByAccount: Bool { lanes.contains { $0.label == "*" } }
}

/// A part of the state whose values are drawn as spans, one lane for each name that the `*` of its path stands for.
public struct LaneRule: Sendable {
  /// The path of a value, with at most one `*`, which stands for a whole name.
  public let path: String
  /// The lane's label; `*` stands for the same name. A label that is only `*` is an account's.
  public let label: String
  /// What is written in a span; `*` stands for the value.
  public let text: String
  /// What the values mean to the reader; empty where they are only to be distinguished.
  public let tones: [String: LaneTone]

  /// Values that are not in `tones` are ``LaneTone/plain``.
  public init(_ path: String, label: String, text: String = "*", tones: [String: LaneTone] = [:]) {
    (self.path, self.label, self.text, self.tones) = (path, label, text, tones)
  }
}

/// What the value of a span means to the reader.
public enum LaneTone: String, CaseIterable, Sendable {
  /// Nothing in particular.
  case plain
  /// Nothing happens, and nothing needs to.
  case idle
  /// Something is under way.
  case pending
  /// As it should be.
  case good
  /// Worth a look.
  case warning
  /// Something is blocked, removed or refused.
  case bad
  /// One of several values that are only to be distinguished.
  case distinct
}
