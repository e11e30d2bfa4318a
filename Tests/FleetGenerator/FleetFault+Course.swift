import AppProtection

/// How the app, the service and the policy go on afterwards.
extension FleetFault {
  static let restartPending = [
    FleetFault("dialog-ignored") { returnHome(&$0, restart: "false") },
    FleetFault("promise-not-kept") { returnHome(&$0, restart: "true") },
  ]

  /// A life in which Alice leaves in order and comes back, so that her policy awaits a restart again.
  private static func returnHome(_ life: inout FleetLife, restart: String) {
    life.begin()
    life.days(9...18)
    life.session { life in
      life.wait(minutes: 20...60)
      life.deregister()
      life.wait(minutes: 5...20)
    }
    life.step("delegate", "{\"restartApplication\": \(restart)}")
    life.step("launch", "{}")
    life.decides("restart.required")
    life.step("registerAndEnroll", of: "alice")
    life.wait(hours: 2...5)
  }

  static let lostCallback = [
    FleetFault("dies-under-a-remediation") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.step("compliance", "{\"alice\": \"compliant\"}")
        life.deny()
        life.decides("remediation.requested")
        life.die(after: "remediation.started") { $0.step("remediate", of: "alice") }
      }
    },
    FleetFault("dies-before-it-is-told") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.step("compliance", "{\"alice\": \"compliant\"}")
        life.deny()
        life.decides("remediation.finished")
        life.die(after: "remediation.finished") { $0.step("remediate", of: "alice") }
      }
    },
    FleetFault("switch-unanswered") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...25)
        life.decides("identity.switchRequested")
        life.die(after: "identity.switchRequested") { life in
          life.step("requestIdentitySwitch", "{\"identity\": \"\", \"reason\": \"openURL\"}")
        }
      }
    },
  ]

  static let remediationLoop = [
    FleetFault("not-compliant") { remediate(&$0, "notCompliant") },
    FleetFault("service-fails") { remediate(&$0, "serviceFailure") },
    FleetFault("token-refused-again") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...20)
        life.step("compliance", "{\"alice\": \"compliant\"}")
        for attempt in 1...4 {
          if attempt == 4 { life.decides("token.denied") }
          life.deny()
          life.step("remediate", of: "alice")
        }
      }
    },
  ]

  private static func remediate(_ life: inout FleetLife, _ outcome: String) {
    life.begin()
    life.days(8...18)
    life.session { life in
      life.wait(minutes: 5...20)
      life.step("compliance", "{\"alice\": \"\(outcome)\"}")
      life.deny()
      life.decides("remediation.finished")
      for _ in 0..<life.random.number(in: 4...6) {
        life.step("remediate", of: "alice")
        life.wait(minutes: 1...2)
      }
    }
  }

  static let missingCapability = [
    FleetFault("demanded-since") { life in
      life.begin()
      life.days(8...18)
      let error = life.random.one(of: [53003, -50000])
      life.decides("token.denied")
      for _ in 0..<life.random.number(in: 2...4) {
        life.session { life in
          life.wait(minutes: 20...60)
          life.deny("alice", error)
          life.wait(minutes: 20...60)
          life.deny("alice", error)
        }
      }
    },
    FleetFault("lost-with-an-update") { life in
      life.begin()
      life.session { life in
        life.step("compliance", "{\"alice\": \"compliant\"}")
        life.deny()
        life.step("remediate", "{\"account\": \"alice\", \"isSilent\": true}")
        life.wait(minutes: 1...2)
        life.step("acquireToken", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(6...14)
      life.updateApp()
      life.session { $0.wait(hours: 1...3) }
      life.decides("token.denied")
      for _ in 0..<life.random.number(in: 2...4) {
        life.session { life in
          life.deny("alice", -50002)
          life.wait(minutes: 1...3)
          life.deny("alice", -50002)
          life.wait(hours: 1...3)
        }
      }
    },
  ]

  static let retryStorm = [
    FleetFault("app-asks-and-asks") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        // Between the check-in at the launch and the next one of the schedule, which is due after half an hour.
        life.wait(minutes: 12...20)
        life.decides("checkIn.requested")
        for _ in 0..<life.random.number(in: 12...24) {
          life.step("checkIn", of: "alice")
          life.step("wait", "\"PT10S\"")
        }
      }
      life.days(1...3)
    },
    FleetFault("failing-check-ins") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 12...20)
        life.loseNetwork()
        life.decides("checkIn.failed")
        for _ in 0..<life.random.number(in: 12...20) {
          life.step("checkIn", of: "alice")
          life.step("wait", "\"PT5S\"")
        }
        life.answer("\"unchanged\"")
      }
      life.days(1...3)
    },
    FleetFault("tokens") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...20)
        life.decides("token.denied")
        for _ in 0..<life.random.number(in: 10...16) {
          life.deny()
          life.step("wait", "\"PT5S\"")
        }
      }
    },
  ]

  static let checkInOverdue = [
    FleetFault("no-network") { life in
      life.policy.set("periodOfflineBeforeAccessCheck", "\"P60D\"")
      life.begin()
      life.days(8...18)
      life.loseNetwork()
      life.decides("checkIn.failed")
      life.days(2...6)
    },
    FleetFault("unreadable-answers") { life in
      life.policy.set("periodOfflineBeforeAccessCheck", "\"P60D\"")
      life.begin()
      life.days(8...18)
      life.answer(code: 206)
      life.decides("checkIn.failed")
      life.days(2...6)
    },
    FleetFault("app-not-opened") { life in
      life.policy.set("periodOfflineBeforeAccessCheck", "\"P60D\"")
      life.begin()
      life.days(12...20)
      life.session { $0.wait(minutes: 35...90) }
      life.decided("checkIn.unchanged")
      life.wait(days: 8...20)
      life.deliver([("contactSyncBlocked", "true")])
      life.session { $0.wait(minutes: 35...90) }
    },
  ]

  static let appConfiguration = [
    FleetFault("two-policies-differ") { life in
      configure(&life, "configuration.received") { life in
        life.step(
          "configuration",
          "{\"account\": \"alice\", \"targeted\": [{\"server\": \"a.example\"}, {\"server\": \"b.example\"}]}")
      }
    },
    FleetFault("targeted-placeholder") { life in
      configure(&life, "configuration.received") { life in
        life.step("configuration", "{\"account\": \"alice\", \"targeted\": [{\"server\": \"{{serialnumber}}\"}]}")
      }
    },
    FleetFault("withdrawn") { life in
      life.begin()
      life.session { life in
        life.step("configuration", "{\"account\": \"alice\", \"targeted\": [{\"server\": \"a.example\"}]}")
        life.wait(hours: 1...2)
      }
      life.days(7...16)
      life.session { life in
        life.decides("configuration.withdrawn")
        life.step("configuration", "{\"account\": \"alice\"}")
        life.wait(hours: 1...2)
      }
      life.days(2...4)
    },
    FleetFault("device-unenrolled") { life in
      life.begin()
      let user = "{\"IntuneMAMUPN\": \"\(life.name)@\(life.domain)\", \"IntuneMAMOID\": \"\(life.objectID)\"}"
      life.session { life in
        life.step("deviceConfiguration", user)
        life.wait(hours: 1...2)
      }
      life.days(7...16)
      life.session { life in
        life.decides("deviceConfiguration.changed")
        life.step("deviceConfiguration", "null")
        life.wait(hours: 1...2)
      }
      life.days(2...4)
    },
  ]

  private static func configure(_ life: inout FleetLife, _ type: String, _ body: (inout FleetLife) -> Void) {
    life.begin()
    life.days(7...16)
    life.session { life in
      life.decides(type)
      body(&life)
      life.wait(hours: 1...2)
    }
    life.days(2...4)
  }

  static let policyDrift = [
    FleetFault("weaker") { life in
      life.policy.set("thirdPartyKeyboardsBlocked", "true")
      life.policy.set("contactSyncBlocked", "true")
      life.begin()
      life.days(7...16)
      life.deliver([("thirdPartyKeyboardsBlocked", "false"), ("contactSyncBlocked", "false")])
      life.decides("policy.received")
      life.days(3...6)
    },
    FleetFault("older") { life in
      life.begin()
      life.days(7...16)
      life.policy = life.policy.revised([
        ("lastModifiedDateTime", "\"2025-12-01T08:00:00Z\""), ("contactSyncBlocked", "true"),
      ])
      life.deliver()
      life.decides("policy.received")
      life.days(3...6)
    },
    FleetFault("two-policies-take-turns") { life in
      life.begin()
      life.days(5...12)
      let first = life.policy
      var second = life.policy
      second.set("contactSyncBlocked", "true")
      second.set("version", "\"\\\"7-0\\\"\"")
      life.decides("policy.received")
      for turn in 0..<life.random.number(in: 4...7) {
        life.policy = turn % 2 == 0 ? second : first
        life.deliver()
        life.session { $0.wait(hours: 1...3) }
      }
    },
  ]

  static let policyVersions = [
    FleetFault("second-account-is-ahead") { life in
      shareApp(&life)
      life.begin()
      life.days(8...14)
      life.deliver([("printBlocked", "true")], to: "carol")
      life.decides("policy.received")
      life.session { life in
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 1...2)
      }
      life.days(3...6)
    },
    FleetFault("first-account-is-left-behind") { life in
      shareApp(&life)
      life.begin()
      life.deliver(to: "carol")
      life.session { life in
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 1...2)
      }
      life.days(8...14)
      life.deliver([("contactSyncBlocked", "true")], to: "carol")
      life.decides("policy.received")
      life.days(4...7)
    },
  ]

  /// Two accounts of different organisations are managed side by side.
  private static func shareApp(_ life: inout FleetLife) {
    life.set(app: "maximumManagedAccounts", "2")
    life.addCarol()
  }

  static let policyContradiction = [
    FleetFault("browser-not-required") { life in
      life.begin()
      life.days(7...16)
      life.deliver([("managedBrowser", "\"microsoftEdge\"")])
      life.decides("policy.received")
      life.days(3...6)
    },
    FleetFault("filter-without-managed-apps") { life in
      openPolicy(&life)
      life.deliver([("filterOpenInToOnlyManagedApps", "true")])
      life.decides("policy.received")
      life.days(3...6)
    },
    FleetFault("save-block-without-effect") { life in
      openPolicy(&life)
      life.deliver([("saveAsBlocked", "true")])
      life.decides("policy.received")
      life.days(3...6)
    },
  ]

  /// A life in which data may go anywhere.
  private static func openPolicy(_ life: inout FleetLife) {
    life.policy.set("allowedOutboundDataTransferDestinations", "\"allApps\"")
    life.policy.set("saveAsBlocked", "false")
    life.policy.set("allowedDataStorageLocations", "[]")
    life.begin()
    life.days(7...16)
  }
}
