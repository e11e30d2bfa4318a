import AppProtection

/// How the app handles identities.
extension FleetFault {
  static let identityLeak = [
    FleetFault("worker-not-given-back") { life in
      life.addPat()
      life.answer("\"noPolicy\"", to: "pat")
      life.begin()
      life.days(8...18)
      life.session { life in
        life.wait(minutes: 8...15)
        life.decides("identity.switched")
        life.thread("sync", "alice")
        life.wait(minutes: 15...25)
        life.thread("sync", "pat")
        life.wait(hours: 1...2)
        life.thread("sync", nil)
      }
      life.days(2...5)
    },
    FleetFault("main-thread-keeps-an-identity") { life in
      life.addPat()
      life.answer("\"noPolicy\"", to: "pat")
      life.begin()
      life.days(8...18)
      life.session { life in
        life.decides("identity.switched")
        life.thread("main", "alice")
        life.wait(minutes: 20...60)
        life.step("setUI", of: "pat")
        life.wait(minutes: 20...60)
      }
      life.days(2...5)
    },
  ]

  static let wrongEnumeration = [
    FleetFault("link-cannot-be-opened") { life in
      life.begin()
      life.days(8...18)
      life.step("delegate", "{\"identitySwitch\": {\"addIdentity\": \"failed\"}}")
      life.session(showing: nil) { life in
        life.wait(minutes: 20...60)
        life.decides("identity.switchAnswered")
        life.step("requestIdentitySwitch", "{\"identity\": \"alice\", \"reason\": \"openURL\"}")
        life.wait(minutes: 20...60)
      }
      life.days(2...5)
    },
    FleetFault("import-comes-to-nothing") { life in
      life.begin()
      life.days(8...18)
      life.step("delegate", "{\"identitySwitch\": {\"addIdentity\": \"failed\"}}")
      life.session { life in
        life.step("setWindow", "{\"window\": 2, \"identity\": \"\"}")
        life.wait(minutes: 20...60)
        life.decides("identity.switchAnswered")
        life.step("requestIdentitySwitch", "{\"identity\": \"alice\", \"reason\": \"documentImport\", \"window\": 2}")
        life.wait(minutes: 20...60)
      }
      life.days(2...5)
    },
  ]
}
