import Testing

@testable import AppProtection

/// Every rule of data protection there is, with its name and its assumption.
enum RuleTable {
  static let rows: [any DecisionRule] = {
    var rows: [any DecisionRule] = []
    func add<Rule: DecisionRule>(_ rule: Rule.Type) { rows += Rule.table.map { $0 as any DecisionRule } }
    add(TransferRule.self)
    add(ShareSheetRule.self)
    add(ReceiveRule.self)
    add(ClipboardRule.self)
    add(InputRule.self)
    add(FeatureRule.self)
    add(NotificationRule.self)
    add(ScreenCaptureRule.self)
    add(WebViewRule.self)
    add(LinkRule.self)
    add(EncryptionRule.self)
    add(DataProtectionRule.self)
    add(PINDemandRule.self)
    return rows
  }()

  /// The assumptions about data protection, by the numbers of their fields.
  static let assumptions = Assumptions.choices.filter { $0.number < 10 || (36...49).contains($0.number) }.map(\.name)

  static let ids: Set<String> = Set(
    rows.map(\.id) + SaveToRule.allCases.map(\.id) + OpenFromRule.allCases.map(\.id))
}

@Suite("Tables of rules")
struct RuleTableTests {
  @Test("Every row has a name of the one form, a reason, an assumption that exists, and is its own ground")
  func rows() {
    let assumptions = Set(Assumptions.choices.map(\.name))
    for row in RuleTable.rows {
      let parts = row.id.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }, "\(row.id)")
      #expect(!row.reason.isEmpty && row.reason.first?.isLowercase == true || row.id.hasPrefix("a"), "\(row.id)")
      if let assumption = row.assumption { #expect(assumptions.contains(assumption), "\(row.id)") }
      #expect(row.ground.rule == row.id && row.ground.reason == row.reason && row.ground.assumption == row.assumption)
    }
    #expect(RuleTable.ids.count == 172)
  }

  @Test("Every assumption about data protection is one that a rule or a party rests on")
  func assumptions() {
    let used = Set(
      RuleTable.rows.compactMap(\.assumption) + SaveToRule.allCases.compactMap(\.assumption)
        + OpenFromRule.allCases.compactMap(\.assumption) + ["otherAppsHaveSamePolicy"])
    #expect(RuleTable.assumptions.filter { !used.contains($0) } == [])
  }
}
