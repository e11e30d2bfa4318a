import JournalSimulation

/// What the command line asks for.
struct CampaignOptions {
  enum Campaign: String, CaseIterable {
    case damage
    case salvage
    case crashStates = "crash-states"
    case systemCalls = "system-calls"
    case simulate
  }

  var campaign = Campaign.damage
  /// How long to go on; `nil` for as long as the campaign takes.
  var seconds: UInt64?
  var seed: UInt64 = 1
  var isSeedGiven = false
  /// What is wrong with the simulated system, on purpose.
  var canary: Canary?
  /// One in so many cases is tried; `nil` leaves it to the campaign.
  var share: Int?
  /// For the comparison with other engines: a log with this many records of this length.
  var records = 1000
  var length = 100
  /// How many mixes of two damages, and of a run with another damage, are salvaged.
  var mixes = 50_000

  private static let canaries = Canary.allCases.enumerated().map { "\($0.offset + 1) \($0.element.rawValue)" }
    .joined(separator: ", ")

  /// What an option line must repeat so that it is about the same system.
  var canaryArgument: String {
    canary.flatMap { Canary.allCases.firstIndex(of: $0) }.map { " --canary \($0 + 1)" } ?? ""
  }

  static let help = """
    Usage: tools/damage [--share N] [--records N] [--length BYTES]
           tools/damage --salvage [--share N] [--mixes N] [--seed S]
           tools/crash-states [--seconds N] [--seed S] [--share N]
           tools/system-calls [--commands] [--share N]
           tools/simulate [--seconds N] [--seed S] [--canary N]
           tools/simulate --planted-bug

      --seconds N     go on with further seeds for so long
      --seed S        begin with this seed (1)
                      tools/simulate with a seed and no time runs that seed alone
      --canary N      simulate a system that lies in this way: \(canaries)
      --planted-bug   build the journal with a bug, apart from all other builds, and fail unless the seeds find it
      --share N       try one case in N
      --commands      let calls fail in the commands of pj that write, not in short programs
      --salvage       damage journals and copies that a salvage wrote, also with other files of the same journal; salvage
                      them, one in four mixes twice, and compare the copies with what was written; end salvages in the
                      middle; --share 0 tries no single damage and ends no salvage
      --mixes N       with --salvage: N mixes of two damages (50000), the seeds from S on, and as many of a run of bytes
                      that was inserted, deleted or moved with another damage; the same once more to the copies
      --records N     records in the log in which bits are flipped for the comparison with other engines (1000); 0 for none
      --length BYTES  the length of each of them (100)

    Exit code 0: everything held. 1: it did not; each line says what reproduces it. 2: wrong use.
    """

  /// Reads the arguments, or says what is wrong with them and ends the process.
  init(_ arguments: [String]) {
    var rest = arguments[...]
    let name = rest.popFirst() ?? ""
    guard let campaign = Campaign(rawValue: name) else { Self.refuse("there is no campaign '\(name)'") }
    self.campaign = campaign
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        print(Self.help)
        Platform.end(0)
      }
      guard let text = rest.popFirst(), let number = UInt64(text), number <= 1 << 62 else {
        Self.refuse("\(option) needs a number")
      }
      switch option {
      case "--seconds": seconds = min(number, 1_000_000)
      case "--seed":
        seed = number
        isSeedGiven = true
      case "--canary":
        guard (1...Canary.allCases.count).contains(Int(number)) else { Self.refuse("there is no canary \(number)") }
        canary = Canary.allCases[Int(number) - 1]
      case "--share": share = max(Int(number), campaign == .salvage ? 0 : 1)
      case "--mixes": mixes = Int(min(number, 1 << 40))
      case "--records": records = Int(min(number, 1_000_000))
      case "--length": length = Int(min(number, 100_000))
      default: Self.refuse("there is no option \(option)")
      }
    }
  }

  private static func refuse(_ why: String) -> Never {
    print("\(why); see --help\n\n\(help)")
    Platform.end(2)
  }
}
