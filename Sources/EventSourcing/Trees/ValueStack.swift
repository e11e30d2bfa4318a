/// Values of any types in the order in which they were pushed: copies in memory that is reused, or where they are.
///
/// A copy is in memory from `push` until `removeAll(from:)`, and `place` returns it only as the type with which it was
/// pushed. Memory is freed when no value is left in it.
@usableFromInline
final class ValueStack {
  /// One value.
  @usableFromInline
  struct Entry {
    @usableFromInline let type: any Any.Type
    @usableFromInline let place: UnsafeMutableRawPointer
    /// Whether it is a copy, which the stack destroys.
    @usableFromInline let isCopy: Bool

    @inlinable
    init(type: any Any.Type, place: UnsafeMutableRawPointer, isCopy: Bool) {
      self.type = type
      self.place = place
      self.isCopy = isCopy
    }
  }

  /// What the stack holds. Reached through a pointer, because the checks of access to an object's properties would take
  /// longer than everything else here; no operation calls another one while it changes them.
  @usableFromInline
  struct Storage {
    /// The entries, which own nothing, and the room for them. Not an array, whose checks would count: comparing a message
    /// pushes and finds each of its values.
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int
    /// Where the next value goes, and the end of that memory.
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var blocks: [UnsafeMutableRawPointer]
  }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  private static let blockSize = 8192
  private static let firstCapacity = 64

  init() {
    let block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 16)
    storage = .allocate(capacity: 1)
    storage.initialize(
      to: Storage(
        entries: .allocate(capacity: Self.firstCapacity), capacity: Self.firstCapacity, next: block,
        end: block + Self.blockSize, blocks: [block]))
  }

  deinit {
    removeAll(from: 0)
    for block in storage.pointee.blocks { block.deallocate() }
    storage.pointee.entries.deallocate()
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// The number of values.
  @inlinable var count: Int { storage.pointee.count }

  /// Puts a part of a value on top: where it is, if that is in the whole's memory, or else a copy.
  ///
  /// Safe as long as the whole stays where and as it is until the part is removed from the stack.
  @inlinable @inline(__always)
  func push<Value>(_ value: inout Value, in whole: UnsafeRawBufferPointer) {
    guard let place = whole.address(ofStored: &value) else { return push(value) }
    add(Entry(type: Value.self, place: place, isCopy: false))
  }

  /// Puts a copy of a value on top.
  @inlinable
  func push<Value>(_ value: Value) {
    var place = storage.pointee.next.alignedUp(for: Value.self)
    if place + MemoryLayout<Value>.size > storage.pointee.end {
      place = addBlock(holding: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    }
    place.initializeMemory(as: Value.self, to: value)
    storage.pointee.next = place + MemoryLayout<Value>.size
    add(Entry(type: Value.self, place: place, isCopy: true))
  }

  @inlinable @inline(__always)
  func add(_ entry: Entry) {
    let count = storage.pointee.count
    if count == storage.pointee.capacity { makeRoom() }
    (storage.pointee.entries + count).initialize(to: entry)
    storage.pointee.count = count &+ 1
  }

  @usableFromInline @inline(never)
  func makeRoom() {
    let (entries, count) = (storage.pointee.entries, storage.pointee.count)
    let room = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * count)
    room.moveInitialize(from: entries, count: count)
    entries.deallocate()
    storage.pointee.entries = room
    storage.pointee.capacity = 2 * count
  }

  /// Where a value is until it is removed; `nil` if it is of another type.
  @inlinable @inline(__always)
  func place<Value>(_ index: Int, of type: Value.Type) -> UnsafePointer<Value>? {
    guard index < count else { return nil }
    let entry = storage.pointee.entries[index]
    return entry.type == Value.self ? UnsafePointer(entry.place.assumingMemoryBound(to: Value.self)) : nil
  }

  /// Removes the values from `index` on.
  @usableFromInline
  func removeAll(from index: Int) {
    let entries = storage.pointee.entries
    for place in index..<storage.pointee.count where entries[place].isCopy {
      Self.destroy(entries[place].type, at: entries[place].place)
    }
    storage.pointee.count = index
    // While values are left, the memory of those that are gone is not used again.
    guard index == 0 else { return }
    let first = storage.pointee.blocks[0]
    if storage.pointee.blocks.count > 1 {
      for block in storage.pointee.blocks.dropFirst() { block.deallocate() }
      storage.pointee.blocks.removeSubrange(1...)
    }
    storage.pointee.next = first
    storage.pointee.end = first + Self.blockSize
  }

  private static func destroy<Value>(_ type: Value.Type, at place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  @usableFromInline
  func addBlock(holding size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let size = max(size, Self.blockSize)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: max(alignment, 16))
    storage.pointee.blocks.append(block)
    storage.pointee.end = block + size
    return block
  }
}
