import EventSourcing

/// How the types of fields are called in text and in JSON.
public enum FieldTypeText {
  /// The type's name: `time`, `account`, or the name of its enumeration or message.
  public static func name(_ type: FieldType) -> String {
    switch type {
    case .bool: "bool"
    case .unsigned: "unsigned"
    case .signed: "signed"
    case .string: "string"
    case .json: "json"
    case .bytes: "bytes"
    case .guid: "guid"
    case .time: "time"
    case .duration: "duration"
    case .account: "account"
    case .sequence: "sequence"
    case .enumeration(let enumeration): enumeration.name
    case .message(let message): message.name
    }
  }
}
