import AppProtection
import AppProtectionInsight
import CommandSupport
import EventSourcing
import Forensics

extension TrustedState {
  /// Whether rules read a path that is not set, to answer questions about the accounts here.
  func isRead(_ path: String) -> Bool {
    let moment = (try? journal.states.moment(near: sequence)) ?? Moment(wallNanoseconds: 0)
    return DecisionComparison<AppProtectionMachine>.pathsRead(in: state, at: moment).contains(path)
  }

  /// Says so where a question names an account that the history up to here does not know.
  func noteUnknownAccounts(_ question: QuestionText<AppProtectionMachine>, _ context: CommandContext) {
    noteUnknownAccounts(question.accounts, context)
  }
}

extension QuestionText<AppProtectionMachine> {
  /// The accounts that it names.
  package var accounts: [AccountNumber] {
    // managedApp:a1 and encrypted:a1 name an account, too.
    values.compactMap { AccountNumber($0.split(separator: ":").last ?? "") }
  }
}
