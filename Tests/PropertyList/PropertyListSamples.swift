import PropertyList

/// One property list in both forms, and what it says.
enum PropertyListSamples {
  /// As Python's `plistlib.dumps(value, sort_keys=False)` writes it.
  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>Text</key>
    	<string>Grüße 🙂</string>
    	<key>Plain</key>
    	<string>abc</string>
    	<key>Numbers</key>
    	<array>
    		<integer>0</integer>
    		<integer>255</integer>
    		<integer>256</integer>
    		<integer>-1</integer>
    		<integer>9223372036854775807</integer>
    		<integer>18446744073709551615</integer>
    		<real>1.5</real>
    	</array>
    	<key>Flags</key>
    	<array>
    		<true/>
    		<false/>
    	</array>
    	<key>When</key>
    	<date>2026-11-21T03:17:57Z</date>
    	<key>Bytes</key>
    	<data>
    	AAECAwQFBgcICQoLDA0ODxAREhM=
    	</data>
    	<key>Nested</key>
    	<dict>
    		<key>Empty</key>
    		<dict/>
    		<key>None</key>
    		<array/>
    	</dict>
    </dict>
    </plist>

    """

  /// As `plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)` writes it, in Base64.
  static let binaryText = """
    YnBsaXN0MDDXAQIDBAUGBwgJChIVFhdUVGV4dFVQbGFpbldOdW1iZXJzVUZsYWdzVFdoZW5VQnl0ZXNWTmVzdGVkaABHAHIA/ADfAGUAINg93kJTYWJj
    pwsMDQ4PEBEQABD/EQEAE///////////E3//////////FAAAAAAAAAAA//////////8jP/gAAAAAAACiExQJCDNByFiicoAAAE8QFAABAgMEBQYHCAkK
    CwwNDg8QERIT0hgZGhtVRW1wdHlUTm9uZdCgCBccIiowNTtCU1dfYWNmb3iJkpWWl6C3vMLHyAAAAAAAAAEBAAAAAAAAABwAAAAAAAAAAAAAAAAAAADJ
    """

  /// What both say.
  static let value: PropertyListValue = .dictionary([
    ("Text", .string("Grüße 🙂")), ("Plain", .string("abc")),
    (
      "Numbers",
      .array([.integer(0), .integer(255), .integer(256), .integer(-1), .integer(.max), .unsigned(.max), .real(1.5)])
    ),
    ("Flags", .array([.bool(true), .bool(false)])),
    // 2026-11-21 03:17:57 UTC, by `datetime - datetime(2001, 1, 1)`.
    ("When", .date(816_923_877)),
    ("Bytes", .data(Array(0..<20))), ("Nested", .dictionary([("Empty", .dictionary([])), ("None", .array([]))])),
  ])
}

extension PropertyListValue {
  static func string(_ text: String) -> Self { Self(.string(text)) }
  static func integer(_ number: Int64) -> Self { Self(.integer(number)) }
  static func unsigned(_ number: UInt64) -> Self { Self(.unsigned(number)) }
  static func real(_ number: Double) -> Self { Self(.real(number)) }
  static func bool(_ flag: Bool) -> Self { Self(.bool(flag)) }
  static func date(_ seconds: Double) -> Self { Self(.date(seconds)) }
  static func data(_ bytes: [UInt8]) -> Self { Self(.data(bytes)) }
  static func array(_ elements: [Self]) -> Self { Self(.array(elements)) }
  static func dictionary(_ entries: [(String, Self)]) -> Self {
    Self(.dictionary(PropertyListDictionary(entries.map { .init($0, $1) })))
  }
}
