import EventSourcing
import WireFormat

extension IdentitiesSlice {
  func encode(into writer: inout WireWriter) {
    writer.write(1) { process.encode(into: &$0) }
    writer.write(2) { ui.encode(into: &$0) }
    for window in windows {
      writer.write(3) {
        $0.write(1, unsigned: UInt64(window.number))
        $0.write(2) { window.identity.encode(into: &$0) }
      }
    }
    for thread in threads {
      writer.write(4) {
        $0.write(1, string: thread.label)
        $0.write(2) { thread.identity.encode(into: &$0) }
      }
    }
    for request in requests { writer.write(5) { request.encode(into: &$0) } }
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: process = try reader.message(field) { (inner) throws(WireError) in try Identity(from: &inner) }
      case 2: ui = try reader.message(field) { (inner) throws(WireError) in try Identity(from: &inner) }
      case 3:
        let window = try reader.message(field) { (inner) throws(WireError) in try Self.window(from: &inner) }
        if let last = windows.last, last.number >= window.number {
          throw WireError(.outOfRange(field: 3), at: field.offset)
        }
        windows.append(window)
      case 4:
        let thread = try reader.message(field) { (inner) throws(WireError) in try Self.thread(from: &inner) }
        if let last = threads.last, !Self.precedes(last.label, thread.label) {
          throw WireError(.outOfRange(field: 4), at: field.offset)
        }
        threads.append(thread)
      case 5:
        requests.append(
          try reader.message(field) { (inner) throws(WireError) in try IdentitySwitchRequest(from: &inner) })
      default: try reader.skip(field)
      }
    }
  }

  private static func window(from reader: inout WireReader) throws(WireError) -> Window {
    var number: UInt32 = 0
    var identity = Identity.unset
    while let field = try reader.nextField() {
      switch field.number {
      case 1: number = try reader.unsigned(field, as: UInt32.self)
      case 2: identity = try reader.message(field) { (inner) throws(WireError) in try Identity(from: &inner) }
      default: try reader.skip(field)
      }
    }
    return Window(number: number, identity: identity)
  }

  private static func thread(from reader: inout WireReader) throws(WireError) -> Thread {
    var label = ""
    var identity = Identity.unset
    while let field = try reader.nextField() {
      switch field.number {
      case 1: label = try reader.string(field)
      case 2: identity = try reader.message(field) { (inner) throws(WireError) in try Identity(from: &inner) }
      default: try reader.skip(field)
      }
    }
    return Thread(label: label, identity: identity)
  }

  func tree() -> StateTree {
    .members([
      .init("process", process.value),
      .init("ui", ui.value),
      .init("windows", .members(windows.map { .init("\($0.number)", $0.identity.value) })),
      .init("threads", .members(threads.map { .init($0.label, $0.identity.value) })),
      .init(
        "requests",
        .members(
          requests.map { request in
            .init(
              request.scope.description.replacing("/", with: "."),
              .members([
                .init("identity", .name(request.identity.description)),
                .init("reason", .name(request.reason.name)),
                .init("requestedBy", .pending(request.requestedBy)),
              ]))
          })),
    ])
  }
}
