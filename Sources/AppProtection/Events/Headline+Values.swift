import EventSourcing

extension Headline {
  /// Adds a status code as number and name: `214 notEnrolledAccount`. The account's last code is then covered.
  func add(_ code: EnrollmentStatusCode) {
    add(code.rawValue)
    add(" ")
    add(name: code.name)
    _ = change(of: "lastCode")
    _ = change(of: "removalCode")
  }

  /// Adds a choice by its name.
  func add(_ choice: some WireEnumeration) {
    add(name: choice.shownName)
  }

  /// Adds an identity: `unset`, `unmanaged` or the account.
  func add(_ identity: Identity) {
    add(name: identity.description)
  }

  /// Adds the place where an identity is set: `ui`, `window 2`, `thread upload`.
  func add(_ scope: IdentityScope) {
    add(scope.level)
    switch scope {
    case .process, .ui: break
    case .window(let number):
      add(" ")
      add(number)
    case .thread(let label):
      add(" ")
      add(.text(label))
    }
  }

  /// Adds text that is not empty, after words.
  func add(_ text: String, after words: StaticString) {
    guard !text.isEmpty else { return }
    add(words)
    add(.text(text))
  }

  /// Adds the fact and the setting that a launch condition compared: `: osVersion 14.8, minimumRequiredOsVersion 15.0`.
  func add(_ comparison: LaunchComparison) {
    add(": ")
    add(comparison.fact)
    add(comparison.factValue, after: " ")
    if let age = comparison.age {
      add(" ")
      add(.duration(age))
      add(" ago")
    }
    guard let setting = comparison.setting else { return }
    add(", ")
    add(name: setting.name)
    add(comparison.settingValue, after: " ")
  }

  /// Adds accounts, or `none`.
  func add(_ accounts: [AccountNumber]) {
    if accounts.isEmpty { add("none") }
    for (index, account) in accounts.enumerated() {
      if index > 0 { add(", ") }
      add(name: account.description)
    }
  }

  /// Adds what the service or the device said, if anything.
  func add(said text: Personal<String>) {
    guard !text.isAbsent else { return }
    add(": ")
    if case .value(let value) = PersonalCoding<String>.tree(of: text, .account) { add(value) }
  }

  /// Adds how a failed request goes on: its code and what was said, the account's status, and when it is repeated.
  func add(_ code: EnrollmentStatusCode, said text: Personal<String>, nextRetry: Int64?) {
    add(code)
    add(said: text)
    addChange(of: "status", within: "/accounts/", before: ", ")
    if let nextRetry {
      add(", again ")
      add(.time(nextRetry))
    } else {
      add(", not repeated")
    }
  }

  /// Adds when the service is asked for policy again.
  func add(nextCheckIn: Int64?) {
    guard let nextCheckIn else { return }
    add(", next ")
    add(.time(nextCheckIn))
  }
}
