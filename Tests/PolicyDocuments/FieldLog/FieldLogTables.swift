import PolicyDocuments

/// The tables of the article "Logs of the SDK".
enum FieldLogTables {
  /// The rows of the sentences.
  static let sentences = FieldLogSentence.all.map {
    ["`\($0.shape)`", "\($0.meaning)", $0.isQuoted ? "yes" : "", $0.source]
  }
  /// The rows of the blocks.
  static let blocks = FieldLogBlock.all.map { ["`\($0.name)`", words($0.meaning), $0.source] }

  private static func words(_ meaning: FieldLogBlock.Meaning) -> String {
    switch meaning {
    case .configuration:
      "the app's configuration, and the device's user where `IntuneMAMUPN` or `IntuneMAMOID` names one"
    case .policy: "the policy"
    case .policyOfApp: "the policy of this app and its account"
    case .store: "the accounts, and the time of each one's last check-in"
    case .deviceAccount: "the device's user"
    case .registrations: "accounts that are registered"
    case .completedCheckIn: "the last check-in"
    case .version(let version):
      switch version {
      case .app: "the app's version"
      case .sdk: "the SDK's version"
      case .os: "the system's version"
      case .model: "the device's model"
      }
    case .known(let reason): "no event: \(reason)"
    }
  }
}
