import Journal

/// Flips bits in an engine's closed log, one at a time, and counts what its reader makes of them.
struct Trial {
  struct Tally {
    var flips = 0
    var errors = 0
    var silentLosses = 0
    var silentlyWrong = 0
    var harmless = 0
    var lost = 0
    var most = 0
  }

  let contestant: Contestant
  let count: Int
  let size: Int
  private let files = PosixFileSystem()

  init(_ contestant: Contestant, count: Int, size: Int) {
    self.contestant = contestant
    self.count = count
    self.size = size
  }

  /// Flips so many bits, which a seed chooses among all bits of the log's files.
  func run(flips: Int, seed: UInt64) throws -> Tally {
    let original = try Platform.createTemporaryDirectory()
    let copy = try Platform.createTemporaryDirectory()
    defer {
      clear(original)
      clear(copy)
    }
    try contestant.write(original, count, size)
    let contents = try read(original)
    let log = contents.filter { contestant.isLog(String($0.path.split(separator: "/").last ?? "")) }
    let bits = log.reduce(0) { $0 + $1.bytes.count * 8 }
    guard bits > 0 else { throw Failure("\(contestant.name) left no log") }
    var tally = Tally()
    var state = seed
    for flip in 0...flips {
      clear(copy, keepsItself: true)
      for file in contents { try write(file.bytes, to: copy + "/" + file.path) }
      // The first reading is of the log as it is.
      if flip > 0 {
        var bit = Int(next(&state) % UInt64(bits))
        for file in log {
          if bit < file.bytes.count * 8 {
            try write([file.bytes[bit / 8] ^ 1 << UInt8(bit % 8)], to: copy + "/" + file.path, at: UInt64(bit / 8))
            break
          }
          bit -= file.bytes.count * 8
        }
      }
      let reading = contestant.read(copy, count, size)
      if flip == 0 {
        guard !reading.hasError, reading.right == count, reading.wrong == 0 else {
          throw Failure("\(contestant.name) cannot read the log that it wrote")
        }
      } else {
        add(reading, to: &tally)
      }
    }
    return tally
  }

  private func add(_ reading: Contestant.Reading, to tally: inout Tally) {
    let lost = count - min(reading.right, count)
    tally.flips += 1
    tally.lost += lost
    tally.most = max(tally.most, lost)
    if reading.hasError {
      tally.errors += 1
    } else if reading.wrong > 0 {
      tally.silentlyWrong += 1
    } else if lost > 0 {
      tally.silentLosses += 1
    } else {
      tally.harmless += 1
    }
  }

  /// SplitMix64.
  private func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// The files in a directory and in those in it, but for locks and SQLite's index, which is made again.
  private func read(_ directory: String, below folder: String = "") throws -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    for name in try files.list(directory + folder).sorted() where name != "LOCK" && !name.hasSuffix("-shm") {
      let path = folder + "/" + name
      if (try? files.list(directory + path)) != nil {
        found += try read(directory, below: path)
        continue
      }
      let file = try files.open(directory + path, .read)
      defer { files.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
      var done = 0
      while done < bytes.count {
        let got = try bytes.withUnsafeMutableBytes {
          try files.read(file, into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]), at: UInt64(done))
        }
        guard got > 0 else { throw Failure("\(directory + path) became shorter") }
        done += got
      }
      found.append((String(path.dropFirst()), bytes))
    }
    return found
  }

  private func write(_ bytes: [UInt8], to path: String, at offset: UInt64 = 0) throws {
    if let slash = path.lastIndex(of: "/") { Platform.createDirectory(String(path[..<slash])) }
    let file = try files.open(path, .createOrUpdate)
    defer { files.close(file) }
    var done = 0
    while done < bytes.count {
      done += try bytes.withUnsafeBytes {
        try files.write(file, UnsafeRawBufferPointer(rebasing: $0[done...]), at: offset + UInt64(done))
      }
    }
  }

  private func clear(_ directory: String, keepsItself: Bool = false) {
    for name in (try? files.list(directory)) ?? [] {
      clear(directory + "/" + name)
    }
    if !keepsItself { Platform.remove(directory) }
  }
}
