import AppProtection

/// How an account gets its policy.
extension FleetFault {
  static let policyNotApplied = [
    FleetFault("not-targeted-any-more") { life in
      life.begin()
      life.days(6...14)
      life.session { life in
        life.wait(minutes: 20...50)
        life.answer("\"noPolicy\"")
        life.decides("policy.withdrawn")
        life.step("checkIn", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(2...6)
    },
    FleetFault("not-licensed") { life in
      life.loseIdentity()
      life.answer(code: 225)
      life.decides("enrollment.failed")
      life.session { life in
        life.signIn()
        life.step("registerAndEnroll", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(22...34)
    },
    FleetFault("identity-never-set") { life in
      life.loseIdentity()
      life.deliver()
      life.step("launch", "{}")
      life.decides("policy.received")
      life.step("registerAndEnroll", of: "alice")
      life.wait(minutes: 1...4)
      life.step("restart", "{}")
      life.wait(hours: 1...3)
      life.step("exit", "{}")
      life.wait(hours: 14...20)
      life.days(12...24)
    },
    FleetFault("never-registered") { life in
      life.loseIdentity()
      life.decides("signIns.reported")
      life.session { life in
        life.signIn()
        life.wait(hours: 1...2)
      }
      life.days(30...54)
    },
  ]

  static let authRequired = [
    FleetFault("token-removed-by-the-app") { life in
      life.begin()
      life.days(6...16)
      life.session { life in
        life.wait(minutes: 20...60)
        life.decides("token.removed")
        life.step("removeToken", of: "alice")
        life.answer(code: 203)
        life.wait(hours: 1...3)
      }
      life.days(3...6)
    },
    FleetFault("session-revoked") { life in
      life.begin()
      life.days(6...16)
      life.answer(code: 203)
      life.decides("checkIn.failed")
      life.days(3...8)
    },
    FleetFault("first-sign-in-never-finished") { life in
      life.loseIdentity()
      life.answer(code: 203)
      life.decides("enrollment.failed")
      life.session { life in
        life.step("registerAndEnroll", of: "alice")
        life.wait(hours: 2...4)
      }
      life.days(22...34)
    },
  ]

  static let nilAccount = [
    FleetFault("name-without-object-id") { life in
      life.addPerson("alice", objectID: nil, upn: "\(life.name)@\(life.domain)")
      life.loseIdentity()
      life.answer(code: 207)
      life.decides("enrollment.failed")
      life.session { life in
        life.step("registerAndEnroll", of: "alice")
        life.wait(hours: 2...4)
      }
      life.days(22...34)
    },
    FleetFault("unknown-at-a-check-in") { life in
      life.addPerson("alice", objectID: nil, upn: "\(life.name)@\(life.domain)")
      life.begin()
      life.days(8...18)
      life.answer(code: 207)
      life.decides("checkIn.failed")
      life.days(3...7)
    },
    FleetFault("second-account-by-name") { life in
      life.set(app: "maximumManagedAccounts", "2")
      life.addPerson("carol", objectID: nil, upn: "carol@adventure-works.example")
      life.begin()
      life.days(5...12)
      life.answer(code: 207, to: "carol")
      life.session { life in
        life.decides("enrollment.failed")
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 2...3)
      }
      life.days(3...7)
    },
  ]

  static let accountMismatch = [
    FleetFault("check-in-for-another-account") { life in
      life.begin()
      life.days(7...18)
      life.answer(code: 214)
      life.decides("checkIn.failed")
      life.days(3...7)
    },
    FleetFault("refused-from-the-first-day") { life in
      life.loseIdentity()
      life.answer(code: 214)
      life.decides("enrollment.failed")
      life.session { life in
        life.signIn()
        life.step("registerAndEnroll", of: "alice")
        life.wait(hours: 1...2)
      }
      life.days(20...32)
    },
    FleetFault("name-given-to-another-person") { life in
      life.addPerson("newcomer", objectID: life.random.guid(), upn: "\(life.name.uppercased())@\(life.domain)")
      life.begin()
      life.days(7...16)
      life.deliver(to: "newcomer")
      life.session { life in
        life.decides("enrollment.conflictDetected")
        life.step("registerAndEnroll", of: "newcomer")
        life.wait(hours: 1...3)
      }
      life.days(2...5)
    },
    FleetFault("renamed-while-enrolled") { life in
      life.begin()
      life.days(7...16)
      life.session { life in
        life.decides("account.identified")
        life.step("identifyAccount", "{\"objectID\": \"\(life.objectID)\", \"upn\": \"new.name@\(life.domain)\"}")
        life.answer(code: 214)
        life.wait(hours: 2...4)
      }
      life.days(3...6)
    },
  ]

  static let staleAccount = [
    FleetFault("reinstalled-without-farewell") { life in
      life.loseIdentity()
      life.answer(code: 208)
      life.decides("enrollment.failed")
      life.session { life in
        life.signIn()
        life.step("registerAndEnroll", of: "alice")
        life.wait(hours: 1...3)
      }
      life.days(20...32)
    },
    FleetFault("farewell-not-heard") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.answer(code: 203)
        life.decides("unenrollment.failed")
        life.deregister()
        life.wait(hours: 1...2)
      }
      life.loseIdentity()
      life.days(3...6)
    },
    FleetFault("record-gone-for-good") { life in
      life.begin()
      life.days(8...18)
      life.answer("\"gone\"")
      life.loseIdentity()
      life.decides("enrollment.recordGone")
      life.days(3...6)
    },
    FleetFault("signed-out-and-still-enrolled") { life in
      life.addCarol()
      life.begin()
      life.days(6...14)
      life.session { life in
        life.signIn()
        life.wait(minutes: 10...30)
        life.step("setUI", "null")
        life.decides("signIns.reported")
        life.step("signIns", "[]")
        life.wait(hours: 1...2)
      }
      life.loseIdentity()
      life.wait(days: 1...2)
      life.deliver(to: "carol")
      life.session { life in
        life.step("signIns", "[\"carol\"]")
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 2...3)
      }
      life.days(2...4)
    },
  ]

  static let secondManagedAccount = [
    FleetFault("question-never-answered") { life in
      life.addCarol()
      life.begin()
      life.days(6...14)
      life.deliver(to: "carol")
      life.session { life in
        life.decides("enrollment.switchAsked")
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 1...3)
      }
      life.days(3...7)
    },
    FleetFault("user-keeps-the-first") { life in
      life.addCarol()
      life.begin()
      life.days(6...14)
      life.deliver(to: "carol")
      life.step("delegate", "{\"accountChoice\": \"keepExisting\"}")
      life.session { life in
        life.decides("enrollment.switchAsked")
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 1...3)
      }
      life.days(3...7)
    },
    FleetFault("service-allows-one") { life in
      life.addCarol()
      life.begin()
      life.days(6...14)
      life.answer(code: 227, to: "carol")
      life.session { life in
        life.decides("enrollment.failed")
        life.step("registerAndEnroll", of: "carol")
        life.wait(hours: 1...3)
      }
      life.days(3...7)
    },
    FleetFault("colleague-cannot-be-shown") { life in
      life.addBob()
      life.begin()
      life.days(6...14)
      life.session { life in
        life.wait(minutes: 10...30)
        life.decides("identity.switchRefused")
        life.step("setUI", of: "bob")
        life.wait(minutes: 20...60)
        life.step("setUI", of: "bob")
        life.wait(minutes: 20...60)
      }
      life.session(showing: "bob") { $0.wait(hours: 1...2) }
    },
  ]

  static let accountNotAllowed = [
    FleetFault("list-shrinks") { life in
      life.addBob()
      life.begin()
      life.days(6...14)
      life.session { life in
        life.signIn()
        life.wait(minutes: 5...20)
        life.decides("allowedAccounts.changed")
        life.step("allowedAccounts", "[\"bob\"]")
        life.wait(hours: 1...3)
      }
      life.days(2...6)
    },
    FleetFault("device-of-another-user") { life in
      life.addBob()
      life.loseIdentity()
      life.step("launch", "{}")
      life.step("deviceAccount", of: "alice")
      life.wait(minutes: 3...9)
      life.deliver(to: "bob")
      life.decides("enrollment.failed")
      life.step("registerAndEnroll", of: "bob")
      life.wait(hours: 1...3)
      life.step("exit", "{}")
      life.wait(days: 1...2)
      life.days(20...32)
    },
    FleetFault("unlisted-sign-in") { life in
      life.addBob()
      life.step("launch", "{}")
      life.step("allowedAccounts", "[\"alice\"]")
      life.step("exit", "{}")
      life.wait(minutes: 10...30)
      life.begin()
      life.days(6...14)
      life.session { life in
        life.decides("signIns.reported")
        life.step("signIns", "[\"alice\", \"bob\"]")
        life.wait(hours: 1...3)
      }
      life.days(2...6)
    },
  ]

  static let deregisterAfterTokenRemoval = [
    FleetFault("sign-out-in-the-wrong-order") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 20...40)
        life.decides("token.removed")
        life.step("removeToken", of: "alice")
        life.answer(code: 203)
        life.deregister()
        life.wait(minutes: 3...9)
      }
      life.loseIdentity()
      life.days(3...6)
    },
    FleetFault("wiped-without-a-farewell") { life in
      life.begin()
      life.days(8...18)
      life.session { life in
        life.decides("token.removed")
        life.step("removeToken", of: "alice")
        life.step("delegate", "{\"wipeData\": true}")
        life.answer(code: 203)
        life.deregister(wipe: true)
        life.wait(minutes: 20...40)
      }
      life.loseIdentity()
      life.days(3...6)
    },
    FleetFault("waits-for-a-token") { life in
      life.set(app: "unreachableUnenrollment", "\"waitForToken\"")
      life.begin()
      life.days(8...18)
      life.session { life in
        life.decides("token.removed")
        life.step("removeToken", of: "alice")
        life.answer(code: 203)
        life.deregister()
        life.wait(hours: 1...3)
      }
      life.loseIdentity()
      life.days(3...6)
    },
  ]
}
