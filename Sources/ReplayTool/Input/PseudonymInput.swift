import CommandLineInterface
import CommandSupport
import Forensics

/// What stands in files that leave in place of what is personal.
package enum PseudonymInput {
  /// The option that names the key.
  package static let option = OptionDescription(
    "key", value: "KEY", completion: .file,
    "The key of the pseudonyms: 32 hexadecimal digits or more, or a file of 16 to 1024 bytes.")

  /// The pseudonyms of the key that the command line names, or else of a random one; `nil` where everything is revealed.
  package static func pseudonyms(_ context: CommandContext) throws(Failure) -> Pseudonyms? {
    let help = "\(Tool.name) help \(context.arguments.command.name)"
    let word = context.arguments.value(of: "key")
    guard !context.redaction.revealsAccounts else {
      guard word == nil else {
        throw Failure(.wrongUse, "--key makes pseudonyms, and --reveal leaves none", next: help)
      }
      return nil
    }
    guard let word else { return Pseudonyms() }
    var key = try key(word)
    guard let pseudonyms = Pseudonyms(taking: &key) else {
      throw Failure(.wrongUse, "--key: a key has 16 to 1024 bytes, and this one \(key.count)", next: help)
    }
    return pseudonyms
  }

  /// The bytes that a word gives: hexadecimal digits, or the name of a file.
  private static func key(_ word: String) throws(Failure) -> [UInt8] {
    let digits = Array(word.utf8)
    guard digits.count >= 32, digits.count % 2 == 0, word.allSatisfy(\.isHexDigit) else {
      return try FileInput.bytes(of: word)
    }
    return stride(from: 0, to: digits.count, by: 2).compactMap { place in
      UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16)
    }
  }
}
