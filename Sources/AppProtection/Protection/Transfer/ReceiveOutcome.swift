/// The result for an incoming item or file.
public enum ReceiveOutcome: DecisionOutcome {
  /// The receiver gets it.
  case allowed
  /// The receiver gets it, and it belongs from then on to the account for which the device is managed.
  case allowedAsOrganizationData
  /// The app must be asked to continue without an account or with an unmanaged one; the question is then asked again
  /// with the app's answer.
  case needsUnmanagedIdentity
  /// The receiver does not get it.
  case refused(ReceiveRefusal)

  /// The name of the case, or of the refusal.
  public var name: String {
    if case .refused(let refusal) = self { refusal.rawValue } else { "\(self)" }
  }
}

/// Why something may not come in: one case for each of the SDK's six messages.
public enum ReceiveRefusal: String, CaseIterable, Sendable {
  /// Nothing at all may come in.
  case nothingComesIn
  /// Only organization data may come in.
  case onlyOrganizationData
  /// The data belongs to an account other than the one the app acts for.
  case otherAccount
  /// The account that the data belongs to is not managed here.
  case senderNotManaged
  /// The app did not continue for an unmanaged account.
  case identitySwitchFailed
  /// The app must be installed by the device's management first.
  case managedInstallationNeeded
}
