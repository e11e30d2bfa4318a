import Expectations
import Testing

@testable import AppProtection

@Suite("Numbers of locations in old logs")
struct OpenLocationNumberTests {
  @Test(
    "An account document is 64 before SDK 12.6.1, 16 before 15.1.0, and 32 from then on, when 16 is the photo library")
  func accountDocument() {
    let cases: [(String, UInt64, OpenLocation?)] = [
      ("12.6.0", 64, .accountDocument), ("12.6.0", 32, nil), ("12.6.0", 16, nil),
      ("12.6.1", 64, nil), ("12.6.1", 32, nil), ("12.6.1", 16, .accountDocument),
      ("15.0.9", 64, nil), ("15.0.9", 32, nil), ("15.0.9", 16, .accountDocument),
      ("15.1.0", 64, nil), ("15.1.0", 32, .accountDocument), ("15.1.0", 16, .photos),
      ("", 64, nil), ("?", 32, .accountDocument), ("", 16, .photos),
    ]
    for (version, number, location) in cases {
      expectEqual(OpenLocation(number: number, sdkVersion: version), location, "\(number) of \(version)")
    }
  }

  @Test("All other numbers of locations have stayed what they are, and numbers that are none give nothing")
  func others() {
    for version in ["6.0.13", "12.6.1", "19.2.0"] {
      for location in [OpenLocation.other, .oneDriveForBusiness, .sharePoint, .camera, .localStorage] {
        expectEqual(OpenLocation(number: UInt64(location.rawValue), sdkVersion: version), location)
      }
      for number: UInt64 in [3, 128, 256, .max] {
        #expect(OpenLocation(number: number, sdkVersion: version) == nil)
      }
    }
  }
}
