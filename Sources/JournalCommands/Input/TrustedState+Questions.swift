import AppProtection
import AppProtectionInsight
import CommandSupport
import EventSourcing
import Forensics
import ProtectionSupport

extension TrustedState {
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
