/// How the app's processes end.
extension FleetFault {
  static let crashLoop = [
    FleetFault("closes-since-an-update") { life in
      life.begin()
      life.days(8...14)
      life.updateApp()
      life.decides("process.started")
      for _ in 0..<7 {
        life.session { life in
          life.wait(minutes: 5...40)
          life.die()
        }
      }
    },
    FleetFault("closes-at-each-launch") { life in
      life.begin()
      life.days(8...18)
      life.decides("process.started")
      for _ in 0..<7 {
        life.step("launch", "{}")
        life.step("setUI", of: "alice")
        life.wait(minutes: 1...3)
        life.die()
      }
      life.wait(minutes: 1...3)
      life.step("launch", "{}")
      life.wait(minutes: 1...3)
    },
  ]
}
