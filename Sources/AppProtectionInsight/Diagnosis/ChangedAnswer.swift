import AppProtection
import EventSourcing

/// An answer of the rules that a policy changed.
struct ChangedAnswer: Sendable, CustomStringConvertible {
  /// As people write it: `saveTo(oneDriveForBusiness, a1)`.
  let question: String
  let before: String
  let after: String

  var description: String { "\(question) is \(after) instead of \(before)" }

  /// The same about a time that is over.
  var past: String { "\(question) was \(after) instead of \(before)" }

  /// What it was, and should have been otherwise.
  var earlier: String { "\(question) was \(before) instead of \(after)" }

  /// Whether something was allowed before, and is not any longer.
  var isDenial: Bool { before == "allowed" }

  /// What users notice: where data goes and comes from, and which features there are. What is denied comes first.
  static func all(
    of account: AccountNumber, _ before: AppProtectionState, _ after: AppProtectionState, at moment: Moment
  ) -> [Self] {
    let place = LocationAccount(account)
    let questions: [(String, ProtectionQuestion)] =
      SaveLocation.allCases.map { ("saveTo(\($0.name), \(account))", .saveTo($0, account: place, owner: account)) }
      + OpenLocation.allCases.map {
        ("openFrom(\($0.name), \(account))", .openFrom($0, account: place, receiver: account))
      }
      + ProtectedFeature.allCases.map { ("use(\($0.rawValue), \(account))", .use($0, account)) }
      + [
        (
          "transfer(\(account), unmanagedApp)",
          .transfer(from: .account(account), to: .unmanagedApp, through: .app)
        ),
        (
          "transfer(unmanagedApp, \(account))",
          .transfer(from: .unmanagedApp, to: .account(account), through: .app)
        ),
        (
          "paste(\(account), unmanagedApp)",
          .paste(from: .party(.account(account)), into: .party(.unmanagedApp), characters: nil)
        ),
        ("screenCapture(\(account))", .screenCapture(account, configuration: nil)),
        ("thirdPartyKeyboards()", .thirdPartyKeyboards), ("browser(\(account))", .browser(account)),
      ]
    func answer(_ question: ProtectionQuestion, _ state: AppProtectionState) -> String {
      var explanation = Explanation()
      return state.answer(question, at: moment, explanation: &explanation).name
    }
    let changed = questions.compactMap { text, question -> Self? in
      let (old, new) = (answer(question, before), answer(question, after))
      return old == new ? nil : Self(question: text, before: old, after: new)
    }
    return changed.filter(\.isDenial) + changed.filter { !$0.isDenial }
  }
}
