import AppProtection
import AppProtectionInsight
import CommandLineInterface

/// What goes wrong, and what the guides say should happen.
extension Terms {
  private static let diagnosisPage = "Diagnosis"

  static var problems: [Term] {
    ProblemFamily.allCases.map { family in
      Term(.problem, family.id, family.title, page: family.page, [.definitions(facts(of: family))])
    }
  }

  private static func facts(of family: ProblemFamily) -> [HelpBlock.Definition] {
    var facts: [HelpBlock.Definition] = [
      .init("found by", "pj diagnose JOURNAL --family \(family.id). It is usually \(family.severity.name).")
    ]
    let effects = ProblemFamily.allCases.filter(family.explains.contains).map(\.id)
    if !effects.isEmpty { facts.append(.init("leads to", effects.joined(separator: ", ") + ".")) }
    let causes = ProblemFamily.allCases.filter { $0.explains.contains(family) }.map(\.id)
    if !causes.isEmpty { facts.append(.init("follows from", causes.joined(separator: ", ") + ".")) }
    facts += Complaint.allCases.filter { $0.families.contains(family) }.map {
      .init("user says", "\(Term.sentence($0.meaning)) pj diagnose JOURNAL --complaint \($0.rawValue)")
    }
    // A family that is about one code says what to do about it as the code does.
    for advice in StatusAdvice.table where family.title.contains("(\(advice.code.rawValue))") {
      facts += [
        .init("user", Term.sentence(advice.user)), .init("administrator", Term.sentence(advice.administrator)),
        .init("developer", Term.sentence(advice.developer)),
      ]
    }
    return facts
  }

  static var pages: [Term] {
    [
      Term(
        .page, diagnosisPage, "the problems that pj diagnose finds",
        [.definitions(ProblemFamily.allCases.map { .init($0.id, Term.sentence($0.title)) })])
    ]
  }

  static var transitions: [Term] {
    TransitionHelp.all.map { row in
      Term(
        .transition, row.name, "a transition of an account", page: "AccountsAndEnrollment",
        [.definitions([.init("when", Term.sentence(row.when)), .init("then", Term.sentence(row.then))])])
    }
  }

  static var situations: [Term] {
    SituationHelp.all.map { row in
      Term(
        .situation, row.name, "a situation of the guides", page: "Coverage", [.paragraph(Term.sentence(row.text))])
    }
  }

  static var mistakes: [Term] {
    TraceFinding.Kind.allCases.map { kind in
      Term(
        .mistake, kind.rawValue, "a likely mistake in the app",
        [
          .paragraph("As a likely mistake in the app: \(kind.meaning)."),
          "pj log JOURNAL --findings shows where it occurs.",
        ])
    }
  }
}
