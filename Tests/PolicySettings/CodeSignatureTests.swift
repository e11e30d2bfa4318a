import Expectations
import Fuzzing
import Testing

@testable import PolicySettings

@Suite("The entitlements in a signature")
struct CodeSignatureTests {
  private static let text = "<plist><dict><key>aps-environment</key><string>production</string></dict></plist>"

  private static func found(_ bytes: [UInt8]) throws -> String? {
    try CodeSignature.entitlements(in: bytes).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Executables for one or several processors, of 32 and 64 bits, give them")
  func sound() throws {
    let thin = [true, false].map { SignedExecutable.thin(Self.text, isLong: $0) }
    let unsigned = SignedExecutable.thin(nil)
    let fat = [true, false].map { SignedExecutable.fat([unsigned] + thin, isLong: $0) }
    for bytes in thin + fat { try expectEqual(Self.found(bytes), Self.text) }
    try expectEqual(Self.found(unsigned), nil)
  }

  @Test("An executable that is cut short anywhere is refused, or has none")
  func cut() throws {
    let whole = SignedExecutable.fat([SignedExecutable.thin(Self.text)])
    for count in whole.indices {
      guard let found = try? Self.found(Array(whole[..<count])) else { continue }
      Issue.record("\(count) bytes give \(found)")
    }
  }

  @Test("A refusal names the byte and the reason")
  func refusals() {
    func reason(_ change: (inout [UInt8]) -> Void) -> String? {
      var bytes = SignedExecutable.thin(Self.text)
      change(&bytes)
      do throws(CodeSignatureError) {
        _ = try CodeSignature.entitlements(in: bytes)
        return nil
      } catch {
        return "\(error)"
      }
    }
    expectEqual(reason { $0[0] = 0 }, "byte 0: this is not a Mach-O file")
    expectEqual(
      reason { $0 = Array("#!/bin/sh\n".utf8) }, "byte 0: the header should be 28 bytes from byte 0 on, beyond the end")
    expectEqual(reason { $0[18] = 9 }, "byte 16: the file claims 589826 load commands of 88 bytes, which is too much")
    expectEqual(reason { $0[36] = 4 }, "byte 32: a load command claims 4 bytes")
    expectEqual(reason { $0[16] = 1 }, nil)
    expectEqual(reason { $0[20] = 80 }, "byte 104: a load command claims 16 bytes")
    expectEqual(reason { $0[184] = 0 }, "byte 184: the signature does not begin as one")
    expectEqual(
      reason { $0[115] = 0x7F }, "byte 0: the signature should be 151 bytes from byte 2130706616 on, beyond the end")
    expectEqual(
      reason { $0 = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 1, 0] },
      "byte 4: the file claims code for 256 processors, more than 64")
  }
}
