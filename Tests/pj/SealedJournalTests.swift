import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing

/// One key for every account: these tests never open what it seals.
private struct FixedKey: SealingKeys {
  func key(of account: UInt64) -> SealingKey? { nil }
  func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey? {
    SealingKey(bytes: [UInt8](repeating: 7, count: SealingKey.byteCount))
  }
}

@Suite("Journals with sealed personal data")
struct SealedJournalTests {
  @Test("Sealed values show as sealed in every output, revealed or not, and both readers agree about them")
  func shown() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/sealed.pj"
      var options = StoreOptions()
      options.sealing = Sealing(keys: FixedKey(), randomBytes: { [UInt8](repeating: 9, count: $0) })
      let store = try EventStore<AppProtectionMachine>.create(
        at: path, journalID: try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16))), createdNanoseconds: 0,
        options: options)
      let alice = AccountReference(
        objectID: GUID("0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0"), userPrincipalName: "alice@contoso.com")
      try store.append(.startProcess(ProcessStart()), at: Moment(wallNanoseconds: 0))
      try store.append(.registerAndEnroll(alice), at: Moment(wallNanoseconds: 1))
      try store.append(.answerEnrollment(alice, .noPolicy), at: Moment(wallNanoseconds: 2))
      var secret = ConfigurationValue("code", "alice's code")
      (secret.isSecret, secret.isKeySecret) = (true, true)
      for text in ["alice's desk", "{{mail}} of alice"] {
        let entries = [text, "alice's other desk"].map { ConfigurationEntry([ConfigurationValue("desk", $0), secret]) }
        try store.append(.deliverConfiguration(alice, entries), at: Moment(wallNanoseconds: 3))
      }
      let last = "\(store.lastSequence)"
      try store.close()
      for words in [[], ["--reveal"]] {
        let show = ToolRun(["show", path, "2"] + words)
        #expect(show.code == .done && show.output.contains("userPrincipalName  ‹sealed›"), "\(show.output)")
        #expect(show.output.contains("objectID           ‹sealed›") && show.output.contains("bit 0"), "\(show.output)")
        let json = ToolRun(["log", "-j", path] + words)
        #expect(json.output.contains(#""objectID":{"redacted":"sealed"}"#), "\(json.output)")
        #expect(
          json.output.contains(#""userPrincipalName":{"redacted":"sealed"}"#)
            && json.output.contains(#""features":[0]"#))
        let state = ToolRun(["state", path] + words)
        #expect(state.code == .done && state.output.contains("‹sealed›"), "\(state.output)")
        #expect(state.output.contains("desk"), "the key is plain: \(state.output)")
        #expect(json.output.contains(#"{"key":"desk","text":{"redacted":"sealed"}}"#), "\(json.output)")
        #expect(json.output.contains(#""secretText":{"redacted":"sealed"},"secretKey":{"redacted":"sealed"}"#))
        let shown = ToolRun(["show", path, last] + words)
        // What contradicts itself or was not filled in cannot be seen without the texts.
        let found = ToolRun(["diagnose", path] + words)
        #expect([.done, .different].contains(found.code) && !found.output.contains("desk"), "\(found.output)")
        for output in [show, json, state, shown, found].map(\.output) { #expect(!output.contains("alice")) }
      }
      expectEqual(ToolRun("check", path).code, .done)
      try expectEqual(IndependentReaderTests().differs(on: path), [])
    }
  }
}
