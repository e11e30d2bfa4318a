import EventSourcing

/// The questions to which two states have different answers.
public struct DecisionComparison<Domain: RedecidingDomain>: Sendable {
  /// One question, and both answers.
  public typealias Difference = DecisionDifference

  /// The differences, in the order of the questions.
  public private(set) var differences: [Difference] = []
  /// How many questions were asked.
  public private(set) var count = 0

  /// The most questions that are asked.
  public static var maximumCount: Int { 2000 }

  /// The paths of a state that the rules read to answer the same questions, whether anything is set there or not.
  public static func pathsRead(in state: Domain.State, at moment: Moment) -> Set<String> {
    var paths: Set<String> = []
    for question in questions(Domain.subjects(in: state, limit: 8)) {
      var explanation = Explanation(recording: true)
      _ = Domain.answer(question.question, in: state, at: moment, explanation: &explanation)
      for step in explanation.steps { paths.formUnion(step.reads.map(\.path)) }
    }
    return paths
  }

  /// Asks every question that has no other parameters than choices and what the states hold, such as accounts.
  ///
  /// - Parameter moment: The time at which both are asked.
  public init(_ before: Domain.State, _ after: Domain.State, at moment: Moment) {
    var subjects = Domain.subjects(in: before, limit: 8)
    subjects += Domain.subjects(in: after, limit: 8).filter { !subjects.contains($0) }
    for question in Self.questions(subjects) {
      count += 1
      let (one, other) = (Self.answer(question, before, moment), Self.answer(question, after, moment))
      if one.name != other.name {
        differences.append(Difference(question: question.text, before: one, after: other))
      }
    }
  }

  /// The questions about these subjects, at most ``maximumCount``.
  private static func questions(_ subjects: [String]) -> [QuestionText<Domain>] {
    var questions: [QuestionText<Domain>] = []
    for form in Domain.questions {
      for values in values(of: form.parameters.filter({ $0.standard == nil }), subjects) {
        guard questions.count < maximumCount else { return questions }
        if let question = try? QuestionText<Domain>(form.name, values) { questions.append(question) }
      }
    }
    return questions
  }

  private static func answer(
    _ question: QuestionText<Domain>, _ state: Domain.State, _ moment: Moment
  ) -> QuestionAnswer {
    var explanation = Explanation()
    return Domain.answer(question.question, in: state, at: moment, explanation: &explanation)
  }

  /// Every combination of the values that the parameters take.
  private static func values(of parameters: [QuestionParameter], _ subjects: [String]) -> [[String]] {
    var combinations: [[String]] = [[]]
    for parameter in parameters {
      // What takes any text, such as an address, takes no subject.
      let named = parameter.accepts("") ? [] : subjects.filter(parameter.accepts)
      let values = parameter.choices.isEmpty ? named : parameter.choices
      combinations = combinations.prefix(maximumCount).flatMap { begun in values.map { begun + [$0] } }
    }
    return combinations
  }
}
