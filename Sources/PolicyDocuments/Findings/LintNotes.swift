import AppProtection

/// What lint has found so far, and the rule that looks now.
struct LintNotes {
  /// Changes that may mend a finding, and how they are said.
  struct Advice {
    let trials: [LintTrial]
    let prefix: String
    let mark: String
  }

  /// The rule that looks now.
  var rule: PolicyRule
  /// The platform of the document.
  let platform: PolicyPlatform
  private var entries: [(finding: PolicyFinding, advice: Advice?)] = []
  /// What to do where no single change mends a finding.
  static let undecided = "decide what is meant: no single change mends it"
  /// The most findings of one document whose advice is tried.
  private static let mostTried = 64

  init(_ rule: PolicyRule, on platform: PolicyPlatform) {
    self.rule = rule
    self.platform = platform
  }

  /// What was found.
  var findings: [PolicyFinding] { entries.map(\.finding) }

  /// Adds a finding of the rule.
  mutating func add(_ setting: String, element: Int? = nil, _ message: String, remedy: String) {
    add(setting, element: element, message, remedy, nil)
  }

  /// Adds a finding with changes that may mend it.
  ///
  /// - Parameters:
  ///   - prefix: What stands before the changes that do.
  ///   - mark: What stands between two of them.
  ///   - remedy: What to do where none does.
  mutating func add(
    _ setting: String, element: Int? = nil, _ message: String, trying trials: [LintTrial], after prefix: String = "",
    separatedBy mark: String = ", or ", otherwise remedy: String = Self.undecided
  ) {
    add(setting, element: element, message, remedy, Advice(trials: trials, prefix: prefix, mark: mark))
  }

  private mutating func add(
    _ setting: String, element: Int?, _ message: String, _ remedy: String, _ advice: Advice?
  ) {
    var finding = PolicyFinding(rule, setting, message, remedy: remedy)
    finding.source = rule.source(on: platform)
    finding.element = element
    entries.append((finding, advice))
  }

  /// Leaves out findings.
  mutating func keep(where isKept: (PolicyFinding) -> Bool) { entries.removeAll { !isKept($0.finding) } }

  /// Advises the changes that mend what was found.
  ///
  /// - Parameter lint: Finds everything in a document.
  mutating func advise(in document: LintDocument, by lint: (LintDocument) -> [PolicyFinding]) {
    let found = findings
    var left = Self.mostTried
    for index in entries.indices where left > 0 {
      guard let advice = entries[index].advice else { continue }
      left -= 1
      var words: [String] = []
      // Several values may have one advice.
      for trial in advice.trials where !words.contains(trial.words) {
        if trial.mends(found[index], among: found, in: document, by: lint) { words.append(trial.words) }
      }
      if !words.isEmpty { entries[index].finding.remedy = advice.prefix + words.joined(separator: advice.mark) }
    }
  }
}
