import Expectations
import EventSourcing
import Testing
import WireFormat

@Suite("Digests")
struct DigestTests {
  @Test(
    "SHA-256 agrees with the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, hex: String) {
    expectEqual(Digest.sha256(Array(text.utf8)).hex, hex)
  }

  @Test("A digest is made of 32 bytes and returns them")
  func bytes() throws {
    let bytes = (0..<32).map { UInt8($0 * 7) }
    let digest = try #require(Digest(bytes: bytes))
    expectEqual(digest.bytes, bytes)
    expectEqual(digest.prefix, Array(bytes.prefix(8)))
    expectEqual(digest.shortHex, "00070e151c23")
    #expect(digest.begins(with: Array(bytes.prefix(3))))
    #expect(digest.begins(with: []))
    #expect(!digest.begins(with: [1]))
    #expect(!digest.begins(with: bytes + [0]))
    #expect(Digest(bytes: Array(bytes.dropLast())) == nil)
    #expect(Digest(bytes: bytes + [0]) == nil)
  }

  private var state: LedgerState {
    var state = LedgerState()
    state.accounts = [.init(number: 1, owner: "Ada", balance: -3, openedBy: 1), .init(number: 2, owner: "Bob")]
    state.transfers = 1
    return state
  }

  @Test("The digest of a state is the same in every process")
  func constant() {
    // A literal, because a second process has another hash seed and another order of dictionaries.
    expectEqual(StateDigest(of: LedgerState(), as: .canonical).combined.shortHex, "e623af8148a7")
    expectEqual(StateDigest(of: state, as: .canonical).combined.shortHex, "fa5562f91e95")
  }

  @Test("The combined digest is that of the digests of the slices, earlier with their names, as documented")
  func combined() {
    var bytes: [UInt8] = []
    var digests: [UInt8] = []
    for (index, name) in LedgerState.sliceNames.enumerated() {
      var writer = WireWriter()
      state.encodeSlice(index, into: &writer)
      digests += Digest.sha256(writer.bytes).bytes
      bytes += [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) + Digest.sha256(writer.bytes).bytes
    }
    expectEqual(StateDigest(of: state, as: .canonical).combined, Digest.sha256(bytes))
    expectEqual(StateDigest(of: state).combined, Digest.sha256(digests))
  }

  @Test("A digester of successive states computes what a fresh one does")
  func digester() {
    var digester = StateDigester<LedgerState>()
    var state = LedgerState()
    for step in 0..<20 {
      switch step % 4 {
      case 0: state.accounts.append(.init(number: UInt64(step), owner: "x"))
      case 1: state.transfers += 1
      case 2: state.notes.append("n\(step)")
      default: break
      }
      expectEqual(digester.digest(of: state), StateDigest(of: state))
    }
  }

  @Test("A catalogue's fingerprint changes with every name, number, version, type and member, and with no sentence")
  func fingerprints() {
    func catalog(
      number: UInt32 = 1, name: String = "a.b", version: UInt32 = 1, rule: UnknownReaderRule = .ignorable,
      field: String = "x", type: FieldType = .unsigned, cardinality: FieldDescriptor.Cardinality = .single,
      meaning: String = "one"
    ) -> Digest {
      EventCatalog([
        EventDescriptor(
          number, name, version: version, unknownReaders: rule,
          body: MessageDescriptor("M", [FieldDescriptor(1, field, type, cardinality, meaning)]), meaning: meaning)
      ]).fingerprint()
    }
    let reference = { (name: String) in FieldType.reference(ReferenceDescriptor(name, prefix: "p")) }
    let enumeration = { (name: String) in FieldType.enumeration(EnumerationDescriptor("E", [(1, name)])) }
    let message = { (name: String) in
      FieldType.message(MessageDescriptor("N", [FieldDescriptor(1, name, .bool, .single, "")]))
    }
    let all = [
      catalog(), catalog(number: 2), catalog(name: "a.c"), catalog(version: 2), catalog(rule: .mustUnderstand),
      catalog(field: "y"), catalog(type: .signed), catalog(cardinality: .optional), catalog(cardinality: .repeated),
      catalog(type: enumeration("p")), catalog(type: enumeration("q")), catalog(type: message("p")),
      catalog(type: message("q")), catalog(type: reference("p")), catalog(type: reference("q")),
    ]
    expectEqual(Set(all).count, all.count)
    expectEqual(catalog(meaning: "two"), catalog())
  }
}
