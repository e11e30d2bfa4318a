import Fuzzing
import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What libFuzzer calls. `POLICYJOURNAL_FUZZ_TARGET` in the environment says what inputs are taken for.
private let target = getenv("POLICYJOURNAL_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }
private let fixtures = Fixtures(root: ".")

/// Writes the inputs to begin with, when it is asked for them, prints how long inputs may be, and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<Int32>?, _ arguments: UnsafeMutableRawPointer?) -> Int32 {
  guard let target else {
    print("fuzz: POLICYJOURNAL_FUZZ_TARGET is none of", FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
    exit(2)
  }
  guard let path = getenv("POLICYJOURNAL_FUZZ_SEEDS").map({ String(cString: $0) }) else { return 0 }
  let files = PosixFileSystem()
  let kept = Fixtures.inputs(of: target, root: ".").map(\.bytes)
  for (index, seed) in (target.seeds(fixtures) + kept).enumerated() {
    guard let file = try? files.open("\(path)/seed-\(index)", .replace) else { exit(4) }
    _ = seed.withUnsafeBytes { try? files.write(file, $0, at: 0) }
    files.close(file)
  }
  print(target.maximumLength)
  exit(0)
}

/// Takes one input; a property that does not hold ends the process, which makes libFuzzer keep the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let target else { return 0 }
  do throws(PropertyFailure) {
    try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)), fixtures)
  } catch {
    print("PROPERTY: \(error)")
    fflush(nil)
    abort()
  }
  return 0
}
