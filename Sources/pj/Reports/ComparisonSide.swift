import AppProtection
import Forensics

/// One side of a comparison, with its name.
struct ComparisonSide {
  /// The journal's path or the account's pseudonym.
  let name: String
  /// What is compared.
  let compared: ComparedSide<AppProtectionMachine>
  /// The journal's last state.
  let reading: TrustedState
  /// The account's pseudonym; `nil` when whole journals are compared.
  let pseudonym: String?
}
