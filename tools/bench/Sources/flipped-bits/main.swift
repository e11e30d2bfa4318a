/// Flips bits in closed logs of PolicyJournal and of other engines, and prints the table of a page.
struct Settings {
  var flips = 1000
  var seed: UInt64 = 1
  var records = 1000
  var length = 100

  static let help = """
    Usage: tools/flipped-bits [--flips N] [--seed S] [--records N] [--length BYTES]

    Writes records into a log of each engine, each in a transaction of its own, closes it, flips one bit, reads
    everything back through the engine's own interface, and begins again with the next bit (1000 of them, chosen by the
    seed). 1000 records of 100 bytes unless told otherwise, at most 4096 bytes.
    Exit code 0: printed. 2: wrong use. 4: an engine cannot write its log, or read what it wrote.
    """

  /// `nil` when the arguments are not understood.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
      switch option {
      case "--flips": flips = number
      case "--seed": seed = UInt64(number)
      case "--records": records = number
      case "--length" where number <= 4096: length = number
      default: return nil
      }
    }
  }
}

func percent(_ part: Int, of whole: Int) -> String {
  let tenths = (part * 1000 + whole / 2) / max(whole, 1)
  return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.contains("--help") || arguments.contains("-h") {
  print(Settings.help)
  Platform.end(0)
}
guard let settings = Settings(arguments) else {
  Platform.note("tools/flipped-bits: wrong use; see tools/flipped-bits --help")
  Platform.end(2)
}
do {
  print("| engine | surfaced as an error | silent loss | silent wrong data | no effect | lost per flip | at most |")
  print("|---|---|---|---|---|---|---|")
  for contestant in Contestant.all {
    let tally = try Trial(contestant, count: settings.records, size: settings.length)
      .run(flips: settings.flips, seed: settings.seed)
    let shares = [tally.errors, tally.silentLosses, tally.silentlyWrong, tally.harmless]
      .map { percent($0, of: tally.flips) }
    let lost = (tally.lost * 100 + tally.flips / 2) / max(tally.flips, 1)
    let mean = "\(lost / 100).\(lost % 100 < 10 ? "0" : "")\(lost % 100)"
    print("| \(contestant.name) | \(shares.joined(separator: " | ")) | \(mean) | \(tally.most) |")
  }
  print(
    "\n\(settings.flips) flips each in \(settings.records) records of \(settings.length) bytes, seed \(settings.seed)")
} catch {
  Platform.note("tools/flipped-bits: \(error)")
  Platform.end(4)
}
