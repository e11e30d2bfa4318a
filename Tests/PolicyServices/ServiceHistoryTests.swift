import Expectations
import AppProtection
import PolicyServices
import ServiceTesting
import Testing

@Suite("A history with the directory service")
struct ServiceHistoryTests {
  @Test("An account is enrolled, updated, configured and wiped as its administrator edits the folder")
  func history() async throws {
    let folder = try TestFolder()
    let history = try await ServiceHistory(with: folder.service(), folder: folder, journal: folder.path + "/journal")
    expectEqual(history.events, ServiceHistory.expectedEvents)
    expectEqual(history.start, ServiceHistory.expectedStart)
    expectEqual(history.callbacks, ServiceHistory.expectedCallbacks(halfSaved: 206))
  }
}
