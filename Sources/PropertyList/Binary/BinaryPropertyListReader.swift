/// Reads the binary form (`bplist00`; CoreFoundation, `CFBinaryPList.c`): an eight-byte header, objects, a table with
/// the offset of each object, and a 32-byte trailer that says where the table is.
///
/// Containers refer to their elements by number, so a small file can refer to one object very often, or to itself. Each
/// object is decoded once, and its copies share memory. The size and depth of its tree are counted and bounded, and an
/// object that contains itself is rejected. The depth limit bounds the recursion.
struct BinaryPropertyListReader {
  private static let headerLength = 8
  private static let trailerLength = 32

  private let bytes: [UInt8]
  private let limits: PropertyList.Limits
  /// The size in bytes of an offset in the table and of a reference in a container.
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let tableOffset: Int

  private var path = PropertyListPath()
  private var depth = 0
  private var decoded: [Int: Object] = [:]
  private var enclosing: Set<Int> = []

  /// A decoded object.
  private struct Object {
    var value: PropertyListValue
    var tree: Tree
  }

  /// The tree of an object, including the object itself.
  private struct Tree {
    /// Number of values, counting one that is referred to twice as two.
    var count = 1
    /// Depth of nested containers.
    var height = 0
  }

  private(set) var repeated: RepeatedKeys

  init(_ bytes: [UInt8], limits: PropertyList.Limits, _ repeated: RepeatedKeys) throws(PropertyListError) {
    self.bytes = bytes
    self.limits = limits
    self.repeated = repeated
    func invalid(_ message: String, remedy: String = "the file was probably cut off: get it again") -> PropertyListError
    {
      PropertyListError(.invalidTrailer, at: .byte(max(0, bytes.count - Self.trailerLength)), message, remedy: remedy)
    }
    guard bytes.starts(with: "bplist0".utf8) else {
      throw PropertyListError(
        .unknownFormat, at: .byte(0), "the version of the binary form is not 00",
        remedy: "convert it: plutil -convert xml1 FILE")
    }
    let trailer = bytes.count - Self.trailerLength
    guard trailer > Self.headerLength else { throw invalid("the file is too short for a trailer") }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw invalid("the trailer says that a number has \(min(offsetSize, referenceSize)) bytes or more than 8")
    }
    func number(_ place: Int) -> UInt64 {
      bytes[trailer + place..<trailer + place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let (objects, topObject, table) = (number(8), number(16), number(24))
    guard table > UInt64(Self.headerLength), table < UInt64(trailer) else {
      throw invalid("the trailer places the offset table outside the file")
    }
    tableOffset = Int(table)
    guard objects > 0, objects <= UInt64((trailer - tableOffset) / offsetSize) else {
      throw invalid("the trailer declares \(objects) objects, which does not match the offset table")
    }
    objectCount = Int(objects)
    guard topObject < objects else { throw invalid("the trailer names missing object \(topObject) as the outermost") }
    top = Int(topObject)
  }

  mutating func document() throws(PropertyListError) -> PropertyListValue {
    try object(top, namedAt: bytes.count - Self.trailerLength + 16).value
  }

  private func error(
    _ code: PropertyListError.Code, at offset: Int, _ message: String,
    remedy: String = "the file is damaged: get it again, or build the app again"
  ) -> PropertyListError {
    PropertyListError(code, at: .byte(offset), path: path, message, remedy: remedy)
  }

  /// A number of at most eight bytes, most significant first; the bytes must exist.
  private func number(at offset: Int, size: Int) -> UInt64 {
    bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Objects

  /// The object with a number that was found at `place`.
  private mutating func object(_ index: Int, namedAt place: Int) throws(PropertyListError) -> Object {
    if let known = decoded[index] { return known }
    let offset = number(at: tableOffset + index * offsetSize, size: offsetSize)
    guard offset >= UInt64(Self.headerLength), offset < UInt64(tableOffset) else {
      throw error(.invalidReference, at: tableOffset + index * offsetSize, "object \(index) lies outside the objects")
    }
    guard enclosing.insert(index).inserted else { throw error(.cycle, at: place, "an object contains itself") }
    let start = Int(offset)
    var tree = Tree()
    let content = try content(at: start, &tree)
    enclosing.remove(index)
    let object = Object(value: PropertyListValue(content, at: .byte(start)), tree: tree)
    decoded[index] = object
    return object
  }

  private mutating func content(at start: Int, _ tree: inout Tree) throws(PropertyListError)
    -> PropertyListValue.Content
  {
    let low = Int(bytes[start] & 0x0F)
    switch (bytes[start] >> 4, low) {
    case (0x0, 8): return .bool(false)
    case (0x0, 9): return .bool(true)
    case (0x1, 0...4): return try integer(at: start)
    case (0x2, 2): return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try scalar(at: start, 4)))))
    case (0x2, 3): return .real(Double(bitPattern: try scalar(at: start, 8)))
    case (0x3, 3): return .date(Double(bitPattern: try scalar(at: start, 8)))
    case (0x4, _): return .data(Array(bytes[try extent(at: start, unit: 1)]))
    case (0x5, _): return .string(try ascii(at: start))
    case (0x6, _): return .string(try utf16(at: start))
    case (0xA, _): return .array(try elements(at: start, &tree))
    case (0xD, _): return .dictionary(PropertyListDictionary(try entries(at: start, &tree)))
    default:
      let kind = String(bytes[start], radix: 16, uppercase: true)
      throw error(
        .unsupportedObject, at: start, "an object is of kind 0x\(kind), which property lists of apps do not use",
        remedy: "check that the right file was given")
    }
  }

  /// The bits of a number of `size` bytes after its marker.
  private func scalar(at start: Int, _ size: Int) throws(PropertyListError) -> UInt64 {
    guard tableOffset - start > size else { throw truncated(at: start) }
    return number(at: start + 1, size: size)
  }

  private func truncated(at start: Int) -> PropertyListError {
    error(.truncatedObject, at: start, "an object extends past the end of the objects")
  }

  /// Numbers of one, two and four bytes are unsigned, those of eight bytes signed; 16 bytes hold larger ones.
  private func integer(at start: Int) throws(PropertyListError) -> PropertyListValue.Content {
    let size = 1 << Int(bytes[start] & 0x0F)
    guard size == 16 else {
      let bits = try scalar(at: start, size)
      return .integer(Int64(bitPattern: bits))
    }
    guard tableOffset - start > size else { throw truncated(at: start) }
    let (high, low) = (number(at: start + 1, size: 8), number(at: start + 9, size: 8))
    if high == 0 { return Int64(exactly: low).map { .integer($0) } ?? .unsigned(low) }
    if high == .max, low >> 63 == 1 { return .integer(Int64(bitPattern: low)) }
    throw error(.invalidNumber, at: start, "a number needs more than 64 bits", remedy: "write a smaller one")
  }

  /// The extent of the contents of an object whose marker gives its length in units; the length may follow as a number.
  private func extent(at start: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
    var first = start + 1
    var count = UInt64(bytes[start] & 0x0F)
    if count == 0x0F {
      guard first < tableOffset, bytes[first] >> 4 == 1, bytes[first] & 0x0F <= 3 else {
        throw error(.truncatedObject, at: start, "an object's length is missing")
      }
      let size = 1 << Int(bytes[first] & 0x0F)
      count = try scalar(at: first, size)
      first += 1 + size
    }
    guard count <= UInt64((tableOffset - first) / unit) else { throw truncated(at: start) }
    return first..<first + Int(count) * unit
  }

  // MARK: Text

  private func ascii(at start: Int) throws(PropertyListError) -> String {
    let text = bytes[try extent(at: start, unit: 1)]
    guard text.allSatisfy({ $0 < 0x80 }) else {
      throw error(.invalidCharacter, at: start, "a text marked as ASCII is not ASCII")
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func utf16(at start: Int) throws(PropertyListError) -> String {
    let extent = try extent(at: start, unit: 2)
    let units = stride(from: extent.lowerBound, to: extent.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else {
      throw error(.invalidCharacter, at: start, "half of a surrogate pair is not a character on its own")
    }
    return text
  }

  // MARK: Containers

  private mutating func elements(
    at start: Int, _ tree: inout Tree
  ) throws(PropertyListError) -> [PropertyListValue] {
    let extent = try extent(at: start, unit: referenceSize)
    try enter(start, &tree)
    var elements: [PropertyListValue] = []
    for place in stride(from: extent.lowerBound, to: extent.upperBound, by: referenceSize) {
      path.push(.element(elements.count))
      elements.append(try part(at: place, &tree))
      path.pop()
    }
    depth -= 1
    return elements
  }

  /// The references of the keys precede those of the values.
  private mutating func entries(
    at start: Int, _ tree: inout Tree
  ) throws(PropertyListError) -> [PropertyListDictionary.Entry] {
    let extent = try extent(at: start, unit: 2 * referenceSize)
    try enter(start, &tree)
    let distance = extent.count / 2
    var entries: [PropertyListDictionary.Entry] = []
    var keys: Set<[UInt8]> = []
    for place in stride(from: extent.lowerBound, to: extent.lowerBound + distance, by: referenceSize) {
      let named = try part(at: place, &tree)
      guard let key = named.string else {
        throw error(.invalidKey, at: place, "a key is \(PropertyListExcerpt.phrase(named)) instead of text")
      }
      path.push(.key(key))
      let isNew = keys.insert(Array(key.utf8)).inserted
      if !isNew { try repeated.add(key, path, at: .byte(place)) }
      let entry = PropertyListDictionary.Entry(key, try part(at: place + distance, &tree), at: named.position)
      if isNew { entries.append(entry) }
      path.pop()
    }
    depth -= 1
    return entries
  }

  /// The object referred to at `place`, added to the tree of its container.
  private mutating func part(at place: Int, _ tree: inout Tree) throws(PropertyListError) -> PropertyListValue {
    let reference = number(at: place, size: referenceSize)
    guard reference < UInt64(objectCount) else {
      throw error(.invalidReference, at: place, "object \(reference) is referenced, but the file has \(objectCount)")
    }
    let object = try object(Int(reference), namedAt: place)
    // An object decoded earlier at a lesser depth may be too deep here.
    guard depth + object.tree.height <= limits.depth else { throw tooDeep(at: place) }
    tree.height = max(tree.height, object.tree.height + 1)
    tree.count += object.tree.count
    guard tree.count <= limits.values else {
      throw error(
        .tooMany, at: place, "the file has more than \(limits.values) values",
        remedy: "check that the right file was given")
    }
    return object.value
  }

  private mutating func enter(_ start: Int, _ tree: inout Tree) throws(PropertyListError) {
    guard depth < limits.depth else { throw tooDeep(at: start) }
    depth += 1
    tree.height = 1
  }

  private func tooDeep(at offset: Int) -> PropertyListError {
    error(
      .tooDeep, at: offset, "values are nested deeper than \(limits.depth) levels",
      remedy: "check that the right file was given")
  }
}
