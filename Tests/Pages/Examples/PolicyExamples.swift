import AppProtection
import PolicyDocuments
import PolicySettings

/// The example of the page on policy documents.
func policyExample(bytes: [UInt8]) throws {
  let file = try PolicyFile.read(bytes, name: "level-3.json")
  for item in file.policies {
    for setting in PortalSetting.all(on: item.policy.kind.platform) {
      print(setting.title, setting.words(item.policy) ?? "Not configured")
    }
  }
}

/// The example of the page on the lint of policies.
func lintExample(policy: PolicyDocument) {
  for finding in PolicyLint.findings(in: policy) { print(finding.rule.severity, finding) }
}

/// The example of the page on the levels of policies.
func levelExample(policy: PolicyDocument) {
  let assessment = LevelAssessment(of: policy)
  print(assessment.level?.rawValue ?? 0)
  for entry in assessment.missing(at: .enhanced) { print(entry.row.title, entry.row.words(of: entry.demand)) }
}

/// The example of a baseline of one's own.
func baselineExample(bytes: [UInt8], item: PolicyFile.Item) throws {
  let baseline = try PolicyBaseline.read(bytes)
  for result in baseline.assess(item) where result.entry != nil { print(result.demand.row.title, result.demand.words) }
}

/// The example of the page on the settings of an app.
func settingsExample(bytes: [UInt8]) throws -> AppSettings {
  let document = try SettingsDocument.read(bytes, file: "Info.plist")
  for finding in document.findings { print(finding.rule.severity, finding) }
  let machine = AppSettings(document.settings)  // the part that the policy state machine needs
  return machine
}

/// The example of the page on the repair of an app's settings.
func repairExample(document: SettingsDocument, bytes: [UInt8]) throws -> [UInt8] {
  let repair = SettingsRepair(documents: [document])
  let fixed = try repair.documents[0].applied(to: bytes)
  return fixed
}

/// The example of the page on a whole app.
func appPartsExample(document: SettingsDocument, executable: [UInt8]) throws -> ([UInt8]?, [SettingsFinding]) {
  let entitlements = try CodeSignature.entitlements(in: executable)
  let findings = AppParts(app: .init(document: document)).findings
  return (entitlements, findings)
}
