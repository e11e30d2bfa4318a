/// A domain that knows which problems its histories show.
///
/// Tools that look for the cause of a complaint, in one journal or in thousands, are written against this protocol and import
/// no domain. What holds for histories of any domain, such as damage and a clock that was set back, they find themselves, and
/// report it under the two families that every domain has for it.
public protocol DiagnosisDomain: QuestionDomain {
  /// The kinds of problem.
  associatedtype Family: DiagnosisFamily
  /// What reads a history for them.
  associatedtype Examination: HistoryExamination where Examination.Machine == Self, Examination.Family == Family
}

/// The kinds of problem that a history can show. Names and numbers are stable: programs compare them.
public protocol DiagnosisFamily: Hashable, CaseIterable, Sendable {
  /// The journal lost events, or its bytes are damaged.
  static var damagedJournal: Self { get }
  /// The device's clock was set back, or set ahead where that did harm.
  static var clockSetBack: Self { get }

  /// The stable name, in lower case with hyphens: `damaged-journal`.
  var id: String { get }
  /// What is wrong, in a few words.
  var title: String { get }
  /// How bad it is, unless a diagnosis says otherwise.
  var severity: DiagnosisSeverity { get }
  /// The page that describes it, with the heading: `Diagnosis#damaged-journal`.
  var page: String { get }
  /// The families whose problems of the same subject at the same time follow from one of this family.
  var explains: Set<Self> { get }
}

/// Reads a history, event by event, and says at its end which problems it shows.
///
/// Memory does not grow with the history: an examination keeps a bounded number of events for each subject.
public protocol HistoryExamination: Sendable {
  /// The domain.
  associatedtype Machine: Reducer
  /// The kinds of problem.
  associatedtype Family: DiagnosisFamily

  /// An examination that has seen no event.
  init()

  /// Looks at the state in which the history begins, where its first events are missing. Called before any event is shown.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - opening: The last missing event, and when the state was last changed as far as is known. What it and those before it
  ///     did is known by their effects only.
  mutating func begin(at state: borrowing Machine.State, _ opening: EventContext)

  /// Whether an event can tell it anything. The others need not be shown; the default is that all are.
  static func observes(_ event: Machine.Event) -> Bool

  /// Looks at the next event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - context: Its number and its time.
  ///   - before: The state into which it was folded.
  ///   - after: The state after it.
  mutating func observe(
    _ event: Machine.Event, _ context: EventContext, before: borrowing Machine.State, after: borrowing Machine.State)

  /// Observes that the command after the next event was handed over by another process than the one that wrote it.
  ///
  /// - Parameter process: The number by which the app knows that process.
  mutating func observeHandover(by process: UInt64)

  /// Observes a change of the device's clock.
  ///
  /// - Parameters:
  ///   - nanoseconds: Its size; negative if the clock went back.
  ///   - sequence: The event before which it is noticed.
  mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64)

  /// The problems of the history that was read, in any order.
  ///
  /// - Parameters:
  ///   - state: The state after the last event.
  ///   - last: The number and the time of that event.
  func diagnoses(at state: Machine.State, _ last: EventContext) -> [Diagnosis<Family>]
}

extension HistoryExamination {
  /// Every event can.
  @inlinable
  public static func observes(_ event: Machine.Event) -> Bool { true }

  /// Who handed a command over does not matter.
  public mutating func observeHandover(by process: UInt64) {}
}
