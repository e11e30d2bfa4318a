import EventSourcing

/// What ends the following of a history: a condition on an event, or on the state after it.
///
/// ```
/// type = wipe.completed and account = a2
/// /accounts/a1/enrollment/status = enrolled*
/// ```
public struct StoppingCondition<Domain: QuestionDomain> {
  private enum Subject {
    case event(FilterExpression)
    case state(StateCondition<Domain>)
  }

  private let subject: Subject
  private var watch: ConditionWatch<Domain>?
  private let differ = StateDiffer()

  /// Reads a condition as filters have it, or else one on a state.
  ///
  /// - Throws: ``FilterError`` with the column, the reason and what was expected.
  public init(_ text: String) throws(FilterError) {
    do throws(FilterError) {
      subject = .event(try FilterExpression(text))
    } catch {
      let isAboutState = text.contains("(") || text.contains("/") && !text.contains("path")
      do throws(FilterError) {
        subject = .state(try Condition(state: text))
      } catch let other {
        throw isAboutState ? other : error
      }
    }
  }

  /// Whether it rests on values of a state that cannot be compared, such as sealed ones, so that it may hold unnoticed.
  public var isUncertain: Bool { watch?.wasUnknown ?? false }

  /// Whether it holds at the next event, or in the state after its batch. Where that is unknown, it does not.
  public mutating func holds(at step: HistoryStep<Domain>, _ event: @autoclosure () -> FilterSubject) -> Bool {
    switch subject {
    case .event(let expression): return expression.holds(for: event()) == true
    case .state(let condition):
      if watch == nil {
        guard step.record.isLastOfBatch else { return false }
        watch = step.after.map { ConditionWatch(condition, $0, at: step.record.envelope.moment) }
      } else {
        _ = step.withStates { before, after in
          watch?.flip(
            at: step.record.sequence, step.record.typeName, step.record.envelope.moment, before, after,
            isLast: step.record.isLastOfBatch, differ)
        }
      }
      return watch?.holds ?? false
    }
  }
}
