import Journal

/// What a program knows of a journal at each moment: which events it appended, and which of them it was promised.
package struct Chronicle: Sendable {
  /// What holds from one operation of the file system on.
  package struct Moment: Sendable {
    /// The number of operations before it.
    package var position: Int
    /// The payload of every event that may be in the history, by number, from 1.
    package var events: [[UInt8]]
    /// Events that were on the device when the program began, and that it did not find in the history.
    package var stranded: [[UInt8]] = []
    /// How many of the events must be there, whatever happens.
    package var promised: Int
    /// Whether the journal is closed, or is being closed or opened.
    package var isClosed = true
  }

  package private(set) var moments: [Moment]

  /// Begins with events that are on the device.
  package init(events: [[UInt8]] = [], stranded: [[UInt8]] = []) {
    moments = [Moment(position: 0, events: events, stranded: stranded, promised: events.count)]
  }

  package var now: Moment { moments[moments.count - 1] }

  /// Notes a change, at the place that the file system has reached.
  package mutating func note(_ fileSystem: RecordingFileSystem, _ change: (inout Moment) -> Void) {
    var moment = now
    moment.position = fileSystem.position
    change(&moment)
    if moment.position == now.position {
      moments[moments.count - 1] = moment
    } else {
      moments.append(moment)
    }
  }

  /// What holds when so many operations were done.
  package func moment(at position: Int) -> Moment {
    moments.last { $0.position <= position } ?? moments[0]
  }
}
