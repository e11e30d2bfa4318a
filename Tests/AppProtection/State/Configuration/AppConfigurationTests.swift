import Expectations
import Testing

@testable import AppProtection

@Suite("App configuration: what an app asks for")
struct AppConfigurationTests {
  static func entry(_ text: String, isDefault: Bool = false) -> ConfigurationEntry {
    ConfigurationEntry([ConfigurationValue("k", text)], isDefault: isDefault)
  }

  @Test("What targets an account comes before the tenant's default, which counts only alone")
  func targetedFirst() {
    let both = AppConfiguration([Self.entry("default", isDefault: true), Self.entry("targeted")])
    expectEqual(both.allStrings("k"), ["targeted"])
    #expect(both.fullData.count == 2 && both.fullData[0].isDefault)
    let alone = AppConfiguration([Self.entry("default", isDefault: true)])
    expectEqual(alone.string("k"), "default")
    let other = AppConfiguration([Self.entry("default", isDefault: true), ConfigurationEntry([])])
    expectEqual(other.string("k"), "default", "a policy without the key does not hide the default's")
  }

  @Test("Only different values of two policies that target the account conflict")
  func conflicts() {
    let cases: [([ConfigurationEntry], Bool)] = [
      ([], false), ([Self.entry("1")], false), ([Self.entry("1"), Self.entry("1")], false),
      ([Self.entry("1"), Self.entry("2")], true), ([Self.entry("1", isDefault: true), Self.entry("2")], false),
      ([Self.entry("1"), Self.entry("1"), Self.entry("2", isDefault: true)], false),
      ([Self.entry("1"), Self.entry("1"), Self.entry("2")], true), ([Self.entry("1"), ConfigurationEntry([])], false),
    ]
    for (entries, expected) in cases {
      expectEqual(AppConfiguration(entries).hasConflict("k"), expected, "\(entries)")
      #expect(!AppConfiguration(entries).hasConflict("another"))
    }
    let kinds = [Self.entry("true"), ConfigurationEntry([ConfigurationValue("k", true)])]
    #expect(AppConfiguration(kinds).hasConflict("k"), "text is no yes")
  }

  @Test("Conflicts are settled as they are asked for")
  func queries() {
    let flags = AppConfiguration([Self.entry("false"), Self.entry("true")])
    expectEqual(AppConfiguration.BoolQuery.allCases.map { flags.bool("k", $0) }, [false, true, false])
    let numbers = AppConfiguration([Self.entry("7"), Self.entry("-3"), Self.entry("12.5")])
    expectEqual(AppConfiguration.NumberQuery.allCases.map { numbers.number("k", $0) }, [7, -3, 12.5])
    let texts = AppConfiguration([Self.entry("m"), Self.entry("B"), Self.entry("ä")])
    expectEqual(AppConfiguration.StringQuery.allCases.map { texts.string("k", $0) }, ["m", "B", "ä"])
    #expect(flags.allBools("k") == [false, true] && numbers.allNumbers("k") == [7, -3, 12.5])
  }

  @Test("A key that is absent, or of another kind, gives nothing")
  func absent() {
    let configuration = AppConfiguration([
      Self.entry("neither"), ConfigurationEntry([ConfigurationValue("n", Int64(3))]),
    ])
    #expect(
      configuration.bool("k") == nil && configuration.number("k") == nil && configuration.string("k") == "neither")
    #expect(configuration.bool("x", .or) == nil && configuration.bool("x", .and) == nil)
    #expect(configuration.number("x", .min) == nil && configuration.string("x", .max) == nil)
    #expect(
      configuration.allBools("x") == [] && configuration.allNumbers("x") == [] && configuration.allStrings("x") == [])
    #expect(configuration.number("n") == 3 && configuration.string("n") == nil && configuration.bool("n") == nil)
    #expect(ConfigurationValue("k", "inf").number(convertsText: true) == nil)
  }

  @Test("Text counts as yes, no or a number only where that is assumed")
  func conversion() {
    let words = ["true": true, "YES": true, "1": true, "False": false, "no": false, "0": false]
    for (word, expected) in words {
      expectEqual(ConfigurationValue("k", word).bool(convertsText: true), expected)
      #expect(ConfigurationValue("k", word).bool(convertsText: false) == nil)
    }
    #expect(ConfigurationValue("k", "2").number(convertsText: false) == nil)
    expectEqual(ConfigurationValue("k", true).bool(convertsText: false), true)
    expectEqual(ConfigurationValue("k", Int64(2)).number(convertsText: false), 2)
  }

  @Test("Of one key the first value counts, and the order of keys does not matter")
  func entries() {
    let entry = ConfigurationEntry([.init("b", "1"), .init("a", "2"), .init("b", "3")])
    #expect(entry.values.map(\.key) == ["a", "b"] && entry["b"]?.text == "1" && entry["c"] == nil)
    expectEqual(entry, ConfigurationEntry([.init("a", "2"), .init("b", "1")]))
  }
}
