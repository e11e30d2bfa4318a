import CommandSupport
import Forensics
import PlainText

/// The times that a log shows: UTC, or the device's local time as far as the journal knows its offset.
struct LogClock {
  /// Whether times are local.
  let isLocal: Bool

  /// All times in UTC.
  static let utc = LogClock(isLocal: false)

  /// When an event was written, and the zone of that time: its offset, or `UTC` where that is not known.
  func time(of event: LoggedEvent) -> (time: CivilTime, zone: String) {
    let nanoseconds = event.record.envelope.moment.wallNanoseconds
    guard isLocal, let offset = event.utcOffset else {
      return (CivilTime(nanoseconds: nanoseconds), "UTC")
    }
    return (CivilTime(nanoseconds: nanoseconds, utcOffset: offset), CivilTime.text(utcOffset: offset))
  }

  /// The same in one word, as in RFC 3339.
  func text(of event: LoggedEvent) -> String {
    let (time, zone) = time(of: event)
    return zone == "UTC" ? time.text : time.text.dropLast() + zone
  }
}
