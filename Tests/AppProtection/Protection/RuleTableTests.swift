import Expectations
import Testing

@testable import AppProtection

/// Every rule that settles a question, with its name and its assumption.
enum RuleTable {
  static let tables: [any DecisionRule.Type] = [
    SaveToRule.self, OpenFromRule.self, TransferRule.self, ShareSheetRule.self, ReceiveRule.self, ClipboardRule.self,
    InputRule.self, FeatureRule.self, NotificationRule.self, ScreenCaptureRule.self, WebViewRule.self, LinkRule.self,
    RedirectionRule.self, EncryptionRule.self, FileProtectionRule.self, DataProtectionRule.self, PINDemandRule.self,
    OfflineRule.self,
  ]

  static let rules: [any DecisionRule] = tables.flatMap { $0.rules }

  /// The assumptions about data protection, by the numbers of their fields.
  static let assumptions = Assumptions.choices.filter { $0.number < 10 || (36...49).contains($0.number) }.map(\.name)

  /// The names of the rules of data protection: offline intervals are told of elsewhere.
  static let ids = Set(rules.map(\.id).filter { !$0.hasPrefix("offline.") })
}

extension DecisionRule {
  fileprivate static var rules: [any DecisionRule] { allCases }
  fileprivate static var isNumberedByPlace: Bool { allCases.map(\.number) == allCases.indices.map { UInt8($0) } }
  fileprivate var condition: RuleCondition { row.condition }
}

@Suite("Tables of rules")
struct RuleTableTests {
  @Test("Every rule has a name of the one form, a reason, and an assumption that exists and that it reads")
  func rows() {
    let assumptions = Set(Assumptions.choices.map(\.name))
    for rule in RuleTable.rules {
      let parts = rule.id.split(separator: ".", omittingEmptySubsequences: false)
      #expect(parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }, "\(rule.id)")
      #expect(rule.reason.first?.isLowercase == true || rule.reason.hasPrefix("D"), "\(rule.id)")
      if let assumption = rule.assumption { #expect(assumptions.contains(assumption), "\(rule.id)") }
      let readsAssumption = rule.condition.reads.contains { if case .assumption = $0 { true } else { false } }
      expectEqual(readsAssumption, rule.assumption != nil, "\(rule.id)")
    }
    expectEqual(RuleTable.ids.count, 172, "where rules were only added, write their number here")
  }

  @Test("No name of a rule is in two tables")
  func names() {
    var owners: [String: String] = [:]
    for table in RuleTable.tables {
      for id in Set(table.rules.map(\.id)) {
        #expect(owners.updateValue("\(table)", forKey: id) == nil, "\(id) in \(table)")
      }
    }
  }

  @Test("A decision finds its rule again: rules are numbered by their places")
  func numbers() {
    for table in RuleTable.tables {
      let isNumberedByPlace = table.isNumberedByPlace
      #expect(isNumberedByPlace, "\(table)")
    }
    for rule in RuleTable.rules {
      let found = DecisionGround(rule).rule
      #expect(found.id == rule.id && found.reason == rule.reason && found.assumption == rule.assumption)
    }
  }

  @Test("Every setting that a rule reads steers decisions, and every placeholder is one that is filled in")
  func readings() {
    for rule in RuleTable.rules {
      for read in rule.condition.reads {
        switch read {
        case .setting(let property), .otherSetting(let property), .liftingSetting(let property):
          expectEqual(property().effect, .steersDecisions, "\(rule.id) reads \(property().name)")
        case .path, .found, .assumption: break
        }
      }
      let statement = rule.filled(rule.condition.statement).filled { ["account", "other"].contains($0) ? "" : nil }
      #expect(!statement.contains("{") && !rule.id.contains("{") && !rule.reason.contains("{"), "\(rule.id)")
    }
  }

  @Test("Every assumption about data protection is one that a rule or a party rests on")
  func assumptions() {
    let used = Set(RuleTable.rules.compactMap(\.assumption) + ["otherAppsHaveSamePolicy"])
    expectEqual(RuleTable.assumptions.filter { !used.contains($0) }, [])
  }
}
