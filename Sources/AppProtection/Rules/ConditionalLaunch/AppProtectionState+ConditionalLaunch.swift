import EventSourcing

extension AppProtectionState {
  /// The rule that says what the app claimed and no event showed.
  static let claimRule = "launch.claimed"

  /// Evaluates the launch conditions of an account's policy at a moment.
  ///
  /// Checks every condition and returns all that fail. It changes nothing and asks nothing:
  /// `AppProtectionCommand.evaluateLaunch` writes the answer to the journal and acts on it.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - moment: the time by the wall clock and by the uptime of the running process. Zero means that the uptime is
  ///     unknown.
  public func conditionalLaunch(for account: AccountNumber, at moment: Moment) -> LaunchDecision {
    var explanation = Explanation()
    return conditionalLaunch(for: account, at: moment, explanation: &explanation)
  }

  package func conditionalLaunch(
    for account: AccountNumber, at moment: Moment, explanation: inout Explanation
  ) -> LaunchDecision {
    launchDecision(for: account, at: moment, explanation: &explanation, comparing: false)
  }

  /// The same, with the compared values in every finding if the journal is to record them.
  package func launchDecision(
    for account: AccountNumber, at moment: Moment, explanation: inout Explanation, comparing: Bool
  ) -> LaunchDecision {
    guard let policy = enforcedPolicy(for: .account(account)) else {
      let rule = LaunchRule.unmanaged
      explanation.evaluate(
        rule.id, rule.statement, true, reads: rule.facts(of: account).map(read), decides: true)
      return LaunchDecision(
        account: account, outcome: .allowed, rule: rule, findings: [], dialog: nil, offersRemoval: false,
        assumption: nil)
    }
    var deciding: LaunchFinding?
    if explanation.isRecording {
      // Which check decides is known once all are made, and stands in its place.
      var unrecorded = LaunchEvaluation(state: self, account: account, policy: policy, moment: moment, Explanation())
      unrecorded.checkEverything(in: self)
      deciding = sorted(unrecorded.findings).first
    }
    var evaluation = LaunchEvaluation(
      state: self, account: account, policy: policy, moment: moment, explanation, deciding: deciding)
    evaluation.checkEverything(in: self)
    explanation = evaluation.explanation
    return decision(of: evaluation, explanation: &explanation, comparing: comparing)
  }

  /// The conditions that an account does not meet under a policy, whether or not the policy is in force.
  package func launchFindings(
    of account: AccountNumber, under policy: PolicyDocument, at moment: Moment
  ) -> [LaunchFinding] {
    var evaluation = LaunchEvaluation(state: self, account: account, policy: policy, moment: moment, Explanation())
    evaluation.checkEverything(in: self)
    return sorted(evaluation.findings)
  }

  private func decision(
    of evaluation: borrowing LaunchEvaluation, explanation: inout Explanation, comparing: Bool
  ) -> LaunchDecision {
    var findings = sorted(evaluation.findings)
    let account = evaluation.account
    let first = findings.first ?? LaunchFinding(.met, .allowed)
    if findings.isEmpty {
      explanation.evaluate(
        first.rule.id, first.rule.statement, true, reads: reads(of: first, account: account), decides: true)
    }
    let claimed = evaluation.record.claimed
    if !claimed.isEmpty {
      explanation.evaluate(
        Self.claimRule,
        "when the conditions were last evaluated, the app said that the user had answered "
          + claimed.map(\.id).joined(separator: ", ") + ", and no event showed it", true,
        reads: [read("/launch/accounts/\(account)/claimed"), read("/launch/accounts/\(account)/evaluatedBy")])
    }
    let assumption = evaluation.assumption(behind: first, among: findings)
    if comparing { for place in findings.indices { findings[place] = evaluation.compared(findings[place]) } }
    return LaunchDecision(
      account: account, outcome: first.outcome, rule: first.rule, findings: findings,
      dialog: evaluation.dialog(for: first), offersRemoval: settings.app.multiIdentity && !first.outcome.isPassing,
      assumption: assumption)
  }

  /// Findings in the order in which they count.
  private func sorted(_ findings: [LaunchFinding]) -> [LaunchFinding] {
    var findings = findings
    LaunchFinding.sort(&findings, by: settings.app.assumptions.launchOrder)
    return findings
  }

  /// The explanation's entries for the settings and facts of a finding.
  func reads(of finding: LaunchFinding, account: AccountNumber) -> [Explanation.Read] {
    finding.rule.properties(for: finding.outcome).flatMap { settingRead($0, of: account) }
      + finding.rule.facts(of: account).map(read)
  }
}
