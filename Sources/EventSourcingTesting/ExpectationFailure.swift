/// An expectation of a test that was not met. Thrown by the test, it fails it, under Swift Testing and XCTest alike.
///
/// ```
/// BookTests/WithdrawalTests.swift:12: the command led to other events than expected (− expected, + received)
///
///   event 2, money.withdrawn
/// −   cents: 1200
/// +   cents: 1250
/// ```
public struct ExpectationFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, in one clause.
  public let reason: String
  /// Lines that begin with `−` are expected, those that begin with `+` were received, and others are both.
  public let difference: [String]
  /// The test's file, as `#fileID` names it.
  public let fileID: String
  /// The line of the expectation in that file.
  public let line: UInt

  /// The most lines of a difference that are kept.
  static let lineLimit = 200

  init(_ reason: String, _ difference: [String], fileID: StaticString, line: UInt) {
    self.reason = reason
    let rest = difference.count - Self.lineLimit
    self.difference = Array(difference.prefix(Self.lineLimit)) + (rest > 0 ? ["  … \(rest) more lines"] : [])
    self.fileID = fileID.description
    self.line = line
  }

  /// The place, the reason and the difference.
  public var description: String {
    let head = "\(fileID):\(line): \(reason)"
    guard !difference.isEmpty else { return head }
    return "\(head) (− expected, + received)\n\n" + difference.joined(separator: "\n")
  }
}
