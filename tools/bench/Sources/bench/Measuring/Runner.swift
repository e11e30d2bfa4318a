/// Measures operations in a shuffled order, again and again.
struct Runner {
  let operations: [Operation]
  let options: Options

  /// All repetitions in turn. Within one, operations come in random order; within an operation its contestants do, one
  /// right after the other, so that what they are compared in is the same state of the machine.
  func run() throws -> [Measurements] {
    var results = operations.map { Measurements($0) }
    var random = RandomNumbers(seed: options.seed)
    for repetition in 1...options.repetitions {
      for index in operations.indices.shuffled(using: &random) {
        let operation = operations[index]
        for (contestant, measure) in operation.contestants.shuffled(using: &random) {
          if Platform.showsProgress {
            Platform.note("\r\u{1B}[K\(repetition) of \(options.repetitions): \(operation.name), \(contestant.title)")
          }
          let sample: Sample
          do {
            sample = try measure()
          } catch {
            throw Failure("\(operation.name), \(contestant.title): \(error)")
          }
          results[index].samples[contestant, default: []].append(sample)
        }
      }
    }
    if Platform.showsProgress { Platform.note("\r\u{1B}[K") }
    return results
  }
}
