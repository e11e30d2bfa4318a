import AppProtection

/// How an account loses access or its data.
extension FleetFault {
  static let offlineBlock = [
    FleetFault("no-network") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...25)
        life.loseNetwork()
        life.decides("launch.evaluated")
        life.wait(hours: 13...15)
        life.step("evaluateLaunch", of: "alice")
        life.wait(minutes: 9...20)
      }
    },
    FleetFault("service-answers-nonsense") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...25)
        life.answer(code: 206)
        life.decides("launch.evaluated")
        life.wait(hours: 13...15)
        life.step("evaluateLaunch", of: "alice")
        life.wait(minutes: 9...20)
      }
    },
    FleetFault("closed-then-offline") { life in
      life.begin()
      life.days(8...18)
      life.wait(days: 1...2)
      life.loseNetwork()
      life.decides("launch.evaluated")
      life.session(showing: nil) { life in
        life.step("setUI", "{\"identity\": \"alice\", \"outcome\": null}")
        life.wait(minutes: 15...25)
      }
    },
  ]

  static let unexpectedWipe = [
    FleetFault("administrator") { life in
      life.begin()
      life.days(8...18)
      life.answer("\"wipe\"")
      life.decides("wipe.requested")
      life.session { $0.wait(minutes: 35...90) }
      life.loseIdentity()
      life.days(0...2)
    },
    FleetFault("app-signs-out") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 20...90)
        life.decides("unenrollment.requested")
        life.deregister(wipe: true)
        life.wait(hours: 1...2)
      }
      life.loseIdentity()
      life.days(0...2)
    },
    FleetFault("account-disabled") { life in
      life.policy.set("appActionIfUnableToAuthenticateUser", "\"wipe\"")
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 20...60)
        life.decides("launch.evaluated")
        life.step("userStatus", "{\"account\": \"alice\", \"isDisabled\": true}")
        life.step("evaluateLaunch", of: "alice")
        life.wait(hours: 1...2)
      }
    },
    FleetFault("offline-for-ninety-days") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...20)
        life.loseNetwork()
        life.decides("wipe.requested")
        life.wait(hours: 1...2)
      }
      life.wait(days: 91...120)
      life.session(showing: nil) { life in
        life.step("setUI", "{\"identity\": \"alice\", \"outcome\": null}")
        life.step("cancelLaunch", of: "alice")
        life.wait(hours: 1...2)
      }
    },
  ]

  static let wipeUnfinished = [
    FleetFault("files-in-use") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.step("files", "{\"alice\": {\"count\": \(life.random.number(in: 2...40)), \"failure\": \"busy\"}}")
        life.answer("\"wipe\"")
        life.decides("wipe.failed")
        life.step("checkIn", of: "alice")
        life.wait(hours: 2...4)
      }
    },
    FleetFault("delegate-silent") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.answer("\"wipe\"")
        life.decides("wipe.requested")
        life.die(after: "wipe.requested") { $0.step("checkIn", of: "alice") }
      }
    },
    FleetFault("died-while-removing") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.answer("\"wipe\"")
        life.decides("wipe.delegateAnswered")
        life.die(after: "wipe.delegateAnswered") { $0.step("checkIn", of: "alice") }
      }
    },
    FleetFault("service-not-told") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 5...20)
        life.loseNetwork()
        life.decides("unenrollment.failed")
        life.deregister(wipe: true)
        life.wait(hours: 4...8)
      }
    },
  ]

  static let pinAttempts = [
    FleetFault("locked-out") { life in
      pinDays(&life, retries: 5)
      life.session { life in
        for _ in 1...4 { attempt(&life, isRight: false) }
        life.decides("pin.failed")
        attempt(&life, isRight: false)
        life.wait(hours: 1...2)
      }
      life.session { $0.wait(hours: 1...2) }
    },
    FleetFault("limit-lowered") { life in
      pinDays(&life, retries: 10)
      life.session { life in
        for _ in 1...4 { attempt(&life, isRight: false) }
        life.wait(minutes: 5...15)
        life.deliver([("maximumPinRetries", "3")])
        life.decides("launch.evaluated")
        life.wait(hours: 1...2)
      }
      life.session { $0.wait(hours: 1...2) }
    },
  ]

  static let pinQuality = [
    FleetFault("longer-pin-never-chosen") { refusePIN(&$0, [("minimumPinLength", "8")]) },
    FleetFault("letters-demanded") { refusePIN(&$0, [("pinCharacterSet", "\"alphanumericAndSymbol\"")]) },
  ]

  /// A policy refuses the PIN, and the user chooses no other.
  private static func refusePIN(_ life: inout FleetLife, _ changes: [(String, String)]) {
    pinDays(&life, retries: 5)
    life.deliver(changes)
    life.decides("policy.received")
    life.session { life in
      attempt(&life, isRight: true)
      life.step("setUI", of: "alice")
      life.wait(hours: 1...2)
    }
    for _ in 0..<3 {
      life.session(showing: nil) { life in
        life.step("setUI", "{\"identity\": \"alice\", \"outcome\": null}")
        life.wait(minutes: 20...60)
      }
    }
  }

  static let refusedAgain = [
    FleetFault("sign-in-never-offered") { life in
      life.policy.set("organizationalCredentialsRequired", "true")
      life.policy.set("periodOnlineBeforeAccessCheck", "\"PT12H\"")
      life.begin()
      life.days(8...14)
      life.decides("launch.evaluated")
      for _ in 0..<8 {
        life.session(showing: nil) { life in
          life.step("setUI", "{\"identity\": \"alice\", \"outcome\": null}")
          life.wait(minutes: 20...60)
        }
      }
    },
    FleetFault("call-for-a-stranger") { life in
      life.set(app: "recordsRefusals", "true")
      life.addCarol()
      life.begin()
      life.days(8...14)
      life.decides("command.refused")
      for _ in 0..<6 {
        life.session { life in
          life.step("checkIn", of: "carol")
          life.step("expect", "{\"rejected\": \"account.known\"}")
          life.wait(hours: 1...2)
        }
      }
    },
  ]

  /// Days on which the PIN is asked for and right.
  private static func pinDays(_ life: inout FleetLife, retries: Int) {
    for (name, value) in [
      ("pinRequired", "true"), ("minimumPinLength", "4"), ("pinCharacterSet", "\"numeric\""),
      ("maximumPinRetries", "\(retries)"),
    ] { life.policy.set(name, value) }
    life.begin()
    life.session { life in
      life.step("setPIN", "{\"account\": \"alice\", \"pin\": \"2846\"}")
      life.step("setUI", of: "alice")
      life.wait(hours: 1...2)
    }
    for _ in 0..<life.random.number(in: 8...18) {
      life.session { life in
        attempt(&life, isRight: true)
        life.step("setUI", of: "alice")
        life.wait(hours: 1...3)
      }
    }
  }

  private static func attempt(_ life: inout FleetLife, isRight: Bool) {
    life.step("pinAttempt", "{\"account\": \"alice\", \"isRight\": \(isRight)}")
  }

  static let osVersion = [
    FleetFault("minimum-raised") { demand(&$0, [("minimumRequiredOsVersion", "\"19.0\"")]) },
    FleetFault("wiped-below-the-minimum") { life in
      demand(&life, [("minimumWipeOsVersion", "\"19.0\""), ("minimumRequiredOsVersion", "\"19.0\"")], wipes: true)
    },
    FleetFault("update-beyond-the-maximum") { life in
      life.policy.set("maximumRequiredOsVersion", "\"18.9\"")
      life.begin()
      life.days(8...18)
      life.step("update", "{\"os\": \"19.1\"}")
      life.decides("launch.evaluated")
      life.days(3...6)
    },
  ]

  static let deviceModel = [
    FleetFault("list-without-this-model") { life in
      demand(
        &life,
        [
          ("allowedIosDeviceModels", "\"iPhone16,1;iPhone16,2\""), ("appActionIfIosDeviceModelNotAllowed", "\"block\""),
        ])
    },
    FleetFault("wiped-on-an-old-device") { life in
      demand(
        &life,
        [("allowedIosDeviceModels", "\"iPhone17,1\""), ("appActionIfIosDeviceModelNotAllowed", "\"wipe\"")], wipes: true
      )
    },
  ]

  /// A life in which the policy begins to demand what is not so.
  private static func demand(_ life: inout FleetLife, _ changes: [(String, String)], wipes: Bool = false) {
    life.begin()
    life.days(8...18)
    life.deliver(changes)
    life.decides("launch.evaluated")
    guard wipes else { return life.days(3...6) }
    life.session { $0.wait(hours: 1...3) }
    life.loseIdentity()
    life.session { $0.wait(hours: 1...3) }
  }

  static let threatLevel = [
    FleetFault("malicious-profile") { life in
      defend(&life, level: "low")
      life.session { life in
        life.wait(minutes: 10...30)
        life.decides("launch.evaluated")
        life.step("reportDevice", "{\"threatLevel\": \"high\"}")
        life.step("evaluateLaunch", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(3...6)
    },
    FleetFault("deactivated-by-the-user") { life in
      defend(&life, level: "low")
      life.session(showing: nil) { life in
        life.decides("launch.evaluated")
        life.step("reportDevice", "{\"threatDefense\": \"notActivated\", \"threatLevel\": \"unknown\"}")
        life.step("setUI", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(3...6)
    },
    FleetFault("level-demanded") { life in
      life.set(device: "threatDefense", "\"notInstalled\"")
      demand(
        &life,
        [("maximumAllowedDeviceThreatLevel", "\"low\""), ("mobileThreatDefenseRemediationAction", "\"block\"")])
    },
  ]

  private static func defend(_ life: inout FleetLife, level: String) {
    life.set(device: "threatDefense", "\"active\"")
    life.set(device: "threatLevel", "\"secured\"")
    life.policy.set("maximumAllowedDeviceThreatLevel", "\"\(level)\"")
    life.policy.set("mobileThreatDefenseRemediationAction", "\"block\"")
    life.begin()
    life.days(8...18)
  }

  static let jailbreak = [
    FleetFault("jailbroken") { life in
      life.begin()
      life.days(8...18)
      life.session(showing: nil) { life in
        life.decides("launch.evaluated")
        life.step("reportDevice", "{\"isJailbroken\": true}")
        life.step("setUI", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(3...6)
    },
    FleetFault("jailbroken-and-wiped") { life in
      life.policy.set("appActionIfDeviceComplianceRequired", "\"wipe\"")
      life.begin()
      life.days(8...18)
      life.session(showing: nil) { life in
        life.decides("launch.evaluated")
        life.step("reportDevice", "{\"isJailbroken\": true}")
        life.step("setUI", of: "alice")
        life.wait(hours: 1...3)
      }
      life.loseIdentity()
      life.session { $0.wait(hours: 1...3) }
    },
    FleetFault("check-turned-on") { life in
      life.set(device: "isJailbroken", "true")
      life.policy.set("deviceComplianceRequired", "false")
      demand(&life, [("deviceComplianceRequired", "true")])
    },
  ]

  static let launchBlocked = [
    FleetFault("app-too-old") { demand(&$0, [("minimumRequiredAppVersion", "\"9.0\"")]) },
    FleetFault("engine-too-old") { demand(&$0, [("minimumRequiredSdkVersion", "\"30.0.0\"")]) },
    FleetFault("not-at-work") { life in
      life.policy.set("gracePeriodToBlockAppsDuringOffClockHours", "\"PT0S\"")
      life.policy.set("appActionIfAccountIsClockedOut", "\"block\"")
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 20...60)
        life.decides("launch.evaluated")
        life.step("userStatus", "{\"account\": \"alice\", \"clockStatus\": \"clockedOut\"}")
        life.wait(hours: 1...2)
        life.step("evaluateLaunch", of: "alice")
      }
    },
  ]
}
