import AppProtection

/// What damages the evidence.
extension FleetFault {
  static let damagedJournal = [
    FleetFault("flipped-bit") { life in
      life.begin()
      life.days(14...22)
      life.damage(life.random.number(in: 12...60))
    },
    FleetFault("first-event") { life in
      life.begin()
      life.days(14...22)
      life.damage(1)
    },
  ]

  static let clockSetBack = [
    FleetFault("set-back-by-the-user") { life in
      life.begin()
      life.days(5...12)
      life.session { life in
        life.wait(minutes: 40...100)
        life.step("clock", "{\"setBack\": \"P\(life.random.number(in: 2...5))D\"}")
        life.decides("checkIn.requested")
        life.step("checkIn", of: "alice")
        life.wait(minutes: 40...100)
      }
      life.days(1...2)
    },
    FleetFault("set-ahead-and-wiped") { life in
      life.begin()
      life.days(5...12)
      life.loseNetwork()
      life.session { $0.wait(minutes: 8...15) }
      life.step("clock", "{\"setAhead\": \"P\(life.random.number(in: 92...120))D\"}")
      life.wait(minutes: 20...40)
      life.decides("process.started")
      life.session(showing: nil) { life in
        life.step("setUI", "{\"identity\": \"alice\", \"outcome\": null}")
        life.wait(minutes: 1...2)
        life.step("cancelLaunch", of: "alice")
        life.wait(minutes: 5...9)
      }
      life.loseIdentity()
      life.days(1...2)
    },
  ]
}
