import EventSourcing
import WireFormat

// How the parts of commands are written. The journal has none of these: fingerprints and commands that are handed over do.

extension AccountReference {
  func encode(into writer: inout WireWriter) {
    writer.write(1, account: number)
    writer.write(2, guid: objectID)
    if let userPrincipalName { writer.writePresent(3, string: userPrincipalName) }
  }
}

extension WireReader {
  mutating func reference(_ field: Field) throws(WireError) -> AccountReference {
    try message(field) { (inner) throws(WireError) in
      var account = AccountReference()
      while let field = try inner.nextField() {
        switch field.number {
        case 1: account.number = try inner.account(field)
        case 2: account.objectID = try inner.guid(field)
        case 3: account.userPrincipalName = try inner.string(field)
        default: try inner.skip(field)
        }
      }
      return account
    }
  }
}

extension ProcessStart {
  func encode(into writer: inout WireWriter) {
    writer.write(2) {
      $0.write(1, guid: bootSession)
      $0.write(2, string: appVersion)
      $0.write(3, string: sdkVersion)
      $0.write(4, string: osVersion)
      $0.write(5, string: deviceModel)
      $0.write(6, bool: isExtension)
      if let device { $0.write(7) { device.encode(into: &$0) } }
      if let utcOffset { $0.writePresent(8, signed: utcOffset) }
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init()
    while let field = try reader.nextField() {
      switch field.number {
      case 1: bootSession = try reader.guid(field)
      case 2: appVersion = try reader.string(field)
      case 3: sdkVersion = try reader.string(field)
      case 4: osVersion = try reader.string(field)
      case 5: deviceModel = try reader.string(field)
      case 6: isExtension = try reader.bool(field)
      case 7: device = try reader.message(field) { (inner) throws(WireError) in try DeviceFacts(from: &inner) }
      case 8: utcOffset = try reader.signed(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension ServiceAnswer {
  func encode(into writer: inout WireWriter) {
    switch self {
    case .policy(let document, let interval):
      writer.write(1) { document.encode(into: &$0) }
      if let interval { writer.writePresent(2, signed: interval) }
    case .unchanged: writer.write(3, bool: true)
    case .noPolicy: writer.write(4, bool: true)
    case .wipe(let reason): writer.writePresent(5, unsigned: UInt64(reason.rawValue))
    case .gone: writer.write(6, bool: true)
    case .failure(let failure):
      writer.writePresent(7, unsigned: UInt64(failure.code.rawValue))
      writer.write(8, string: failure.error)
    }
  }

  init(from reader: inout WireReader) throws(WireError) {
    var policy: PolicyDocument?
    var interval: Int64?
    var code: EnrollmentStatusCode?
    var error = ""
    var plain: ServiceAnswer?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: policy = try reader.message(field) { (inner) throws(WireError) in try PolicyDocument(from: &inner) }
      case 2: interval = try reader.signed(field)
      case 3: if try reader.bool(field) { plain = .unchanged }
      case 4: if try reader.bool(field) { plain = .noPolicy }
      case 5: plain = .wipe(WipeReason(rawValue: try reader.unsigned(field, as: UInt32.self)))
      case 6: if try reader.bool(field) { plain = .gone }
      case 7: code = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 8: error = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    if let policy {
      self = .policy(policy, nextCheckIn: interval)
    } else if let code {
      self = .failure(ServiceFailure(code, error: error))
    } else if let plain {
      self = plain
    } else {
      throw WireError(.missing(field: 1), at: reader.offset)
    }
  }
}
