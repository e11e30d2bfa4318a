/// A domain whose rules answer questions about a state, such as whether something is allowed.
///
/// Tools that explain answers, look for the event that changed one, find out what to change for another one, or draw a
/// history with its answers, are written against this protocol and import no domain.
public protocol QuestionDomain: HistoryDomain {
  /// A question; one that asks nothing where the rules answer none.
  associatedtype Question: Equatable & Sendable = NoQuestion
  /// An answer of which no words are made yet: comparing two of them costs less than making the words.
  associatedtype Verdict: Equatable & Sendable = NoQuestion

  /// Every question, as people write it.
  static var questions: [QuestionForm<Question>] { get }

  /// Decides a question. Pure.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - state: The state to which the rules are applied.
  ///   - moment: The time of the question, for answers that depend on it.
  ///   - explanation: Receives every evaluated rule with the fields that it read, if it is recording.
  static func verdict(
    on question: Question, in state: State, at moment: Moment, explanation: inout Explanation
  ) -> Verdict

  /// An answer in words. Equal ones have equal words.
  static func words(of verdict: Verdict) -> QuestionAnswer

  /// A value that rules read, in the words of its administrators; `nil` for one that no setting holds, which is the default.
  static func wording(of read: Explanation.Read, in state: State) -> SettingWording?

  /// What could be changed to get another answer, most likely first. Whether it does is for the caller to find out: each change
  /// comes with the state that it leads to. The default knows of none.
  ///
  /// - Parameters:
  ///   - steps: The rules that led to today's answer.
  ///   - question: The question.
  ///   - state: The state that was asked.
  ///   - moment: The time of the question.
  static func changes(
    considering steps: [Explanation.Step], for question: Question, in state: State, at moment: Moment
  ) -> [PossibleChange<State>]

  /// The lanes of a timeline, and the questions that changes raise. The default has none, so that a timeline has only what
  /// every domain has: events, processes and the clock.
  static var timeline: TimelineTable { get }

  /// What an event says about the surroundings in which the history goes on, by which histories are counted together; `nil`
  /// if nothing, which is the default.
  static func surroundings(of event: Event) -> HistoryEnvironment?

  /// What a state says about them, for histories whose first events are not kept; `nil` if nothing, which is the default.
  static func surroundings(in state: State) -> HistoryEnvironment?
}

extension QuestionDomain {
  /// `nil`: no setting holds it.
  public static func wording(of read: Explanation.Read, in state: State) -> SettingWording? { nil }

  /// None.
  public static func changes(
    considering steps: [Explanation.Step], for question: Question, in state: State, at moment: Moment
  ) -> [PossibleChange<State>] { [] }

  /// No lanes.
  public static var timeline: TimelineTable { TimelineTable([]) }

  /// Nothing.
  public static func surroundings(of event: Event) -> HistoryEnvironment? { nil }

  /// Nothing.
  public static func surroundings(in state: State) -> HistoryEnvironment? { nil }

  /// Answers a question in words, as ``verdict(on:in:at:explanation:)`` settles it.
  public static func answer(
    _ question: Question, in state: State, at moment: Moment, explanation: inout Explanation
  ) -> QuestionAnswer {
    words(of: verdict(on: question, in: state, at: moment, explanation: &explanation))
  }
}

extension QuestionDomain where Question == NoQuestion, Verdict == NoQuestion {
  /// None.
  public static var questions: [QuestionForm<NoQuestion>] { [] }

  /// Never asked.
  public static func verdict(
    on question: NoQuestion, in state: State, at moment: Moment, explanation: inout Explanation
  ) -> NoQuestion {}

  /// Never asked.
  public static func words(of verdict: NoQuestion) -> QuestionAnswer {}
}

/// The question of a domain whose rules answer none: `extension Book: QuestionDomain {}` is enough.
public enum NoQuestion: Equatable, Sendable {}

/// What the rules answer, and why.
public struct QuestionAnswer: Equatable, Sendable {
  /// The answer, such as `denied`, `true` or `a1`.
  public var name: String
  /// The stable name of the rule that settled it; `nil` if a single fact is the answer.
  public var rule: String?
  /// The reason, in one sentence without a full stop.
  public var reason: String
  /// The named assumption on which it rests; `nil` where the rule is published.
  public var assumption: String?

  /// Only `reason` and `name` cannot be omitted.
  public init(_ name: String, rule: String? = nil, reason: String, assumption: String? = nil) {
    (self.name, self.rule, self.reason, self.assumption) = (name, rule, reason, assumption)
  }
}

/// How a question is written: `saveTo(oneDriveForBusiness, a1)`.
public struct QuestionForm<Question: Sendable>: Sendable {
  /// The word before the parenthesis, in lower camel case.
  public let name: String
  /// What may stand within the parentheses, in order.
  public let parameters: [QuestionParameter]
  /// What it can be answered with.
  public let answers: QuestionAnswers
  /// What it asks, in one phrase.
  public let meaning: String
  /// The question for accepted values of the parameters, in order; an omitted one has the parameter's standard value.
  public let make: @Sendable ([String]) -> Question?

  /// `make` must accept what every parameter accepts.
  public init(
    _ name: String, _ parameters: [QuestionParameter] = [], answers: QuestionAnswers, _ meaning: String,
    make: @escaping @Sendable ([String]) -> Question?
  ) {
    (self.name, self.parameters, self.answers, self.meaning, self.make) = (name, parameters, answers, meaning, make)
  }
}

/// What a question can be answered with.
public struct QuestionAnswers: Sendable {
  /// The names of the answers, without duplicates.
  public let names: [String]
  /// Whether something else can be an answer, such as an account.
  public let acceptsOther: @Sendable (String) -> Bool

  /// A closed list of names, which may have duplicates.
  ///
  /// - Parameter other: What can be an answer besides. The default is nothing.
  public init(_ names: [String], other: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.names = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    acceptsOther = other
  }
}

/// One value within the parentheses of a question.
public struct QuestionParameter: Sendable {
  /// The name, by which the value can be given out of order: `owner: a1`.
  public let name: String
  /// The values that it can have; empty for a parameter that takes others.
  public let choices: [String]
  /// Its value where it is omitted; `nil` if it must be given.
  public let standard: String?
  /// Whether it can have a value.
  public let accepts: @Sendable (String) -> Bool

  /// A parameter with a closed list of values.
  public init(_ name: String, oneOf choices: [String], standard: String? = nil) {
    (self.name, self.choices, self.standard) = (name, choices, standard)
    accepts = { choices.contains($0) }
  }

  /// A parameter that takes what `accepts` says.
  public init(_ name: String, standard: String? = nil, accepts: @escaping @Sendable (String) -> Bool) {
    (self.name, choices, self.standard, self.accepts) = (name, [], standard, accepts)
  }
}
