import AppProtectionKit

extension RemediationOutcome {
  /// The outcome for an account that no policy targets: nothing can protect the app (S-86).
  static let withoutPolicy = RemediationOutcome(
    .notCompliant, message: "No app protection policy targets this account.", title: "Access blocked")
}
