import AppProtection
import EventSourcing
import PlainText

/// What time brings to an account next.
package enum DueOutcome: DecisionOutcome {
  /// This, or it has come already.
  case next(Deadline.Kind, LaunchOutcome)
  /// Nothing happens by itself.
  case nothing

  /// Every answer.
  package static let names = Deadline.Kind.allCases.map(\.rawValue) + [Self.nothing.name]

  /// What comes next, or that nothing does.
  package var name: String {
    switch self {
    case .next(let kind, _): kind.rawValue
    case .nothing: "nothing"
    }
  }

  /// The name of the rule that decides it.
  var rule: String? { if case .next(let kind, _) = self { kind.id } else { nil } }

  var reason: String {
    switch self {
    case .next(let kind, let outcome): "as the next thing that time brings, \(kind.statement(of: outcome))"
    case .nothing: "time alone brings nothing to the account"
    }
  }
}

extension AppProtectionState {
  /// What time brings to an account next. The explanation has everything that it brings, each with its time, its clock, and what
  /// moves it.
  func due(_ account: AccountNumber, at moment: Moment, explanation: inout Explanation) -> DueOutcome {
    let deadlines = deadlines(for: account, at: moment)
    if explanation.isRecording {
      for deadline in deadlines {
        explanation.evaluate(
          deadline.kind.id, Self.statement(of: deadline, at: moment), true, reads: reads(of: deadline, account),
          decides: deadline == deadlines.first)
      }
      let kinds = Set(deadlines.map(\.kind))
      for kind in Deadline.Kind.allCases where !kinds.contains(kind) {
        explanation.evaluate(kind.id, "\(kind.statement): at no time that is known", false)
      }
    }
    return deadlines.first.map { .next($0.kind, $0.outcome) } ?? .nothing
  }

  /// `access is blocked … at 2026-11-28T06:00:00Z, in PT12H, by the time that …; a check-in that …`
  private static func statement(of deadline: Deadline, at moment: Moment) -> String {
    let kind = deadline.kind
    guard let time = deadline.wall(from: moment) else { return "\(deadline.statement): now; \(kind.movedBy)" }
    let wall = CivilTime(nanoseconds: time).text
    let when =
      deadline.remaining > 0
      ? "at \(wall), in \(String(utf8: { CivilTime.append(duration: deadline.remaining, to: &$0) }))"
      : "since \(wall)"
    return "\(deadline.statement): \(when), by \(kind.clock); \(kind.movedBy)"
  }

  /// What the deadline is counted from, and the setting that says for how long.
  private func reads(of deadline: Deadline, _ account: AccountNumber) -> [Explanation.Read] {
    let paths =
      switch deadline.kind {
      case .checkIn: ["/accounts/\(account)/enrollment/nextRetry", "/accounts/\(account)/enrollment/nextCheckIn"]
      case .restart: ["/process/restart/due"]
      case .block, .wipe, .pin, .pinReset, .signIn, .clockOut:
        (deadline.setting.map { ["/policies/\(account)/\($0.name)"] } ?? [])
          + (deadline.condition?.facts(of: account) ?? [])
      }
    return paths.compactMap { path in
      guard case .value(let value)? = tree(at: path), value != .unset else { return nil }
      return Explanation.Read(path, value)
    }
  }
}
