/// Values of any types in the order in which they were pushed, in memory that is reused.
///
/// A value is in memory from `push` until `take` or `removeAll(from:)`, whichever comes first, and `take` returns it only
/// as the type with which it was pushed. Memory is freed when no value is left in it.
@usableFromInline
final class ValueStack {
  /// One value.
  @usableFromInline
  struct Entry {
    @usableFromInline let type: any Any.Type
    /// Where the value is; `nil` once it was taken.
    @usableFromInline var place: UnsafeMutableRawPointer?

    @inlinable
    init(type: any Any.Type, place: UnsafeMutableRawPointer) {
      self.type = type
      self.place = place
    }
  }

  /// What the stack holds. Reached through a pointer, because the checks of access to an object's properties would take
  /// longer than everything else here; no operation calls another one while it changes them.
  @usableFromInline
  struct Storage {
    @usableFromInline var entries: [Entry] = []
    /// Where the next value goes, and the end of that memory.
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    @usableFromInline var blocks: [UnsafeMutableRawPointer]
  }

  @usableFromInline let storage: UnsafeMutablePointer<Storage>

  private static let blockSize = 8192

  init() {
    let block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockSize, alignment: 16)
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage(next: block, end: block + Self.blockSize, blocks: [block]))
  }

  deinit {
    removeAll(from: 0)
    for block in storage.pointee.blocks { block.deallocate() }
    storage.deinitialize(count: 1)
    storage.deallocate()
  }

  /// The number of values, taken ones included.
  @inlinable var count: Int { storage.pointee.entries.count }

  /// Puts a value on top.
  @inlinable
  func push<Value>(_ value: Value) {
    var place = storage.pointee.next.alignedUp(for: Value.self)
    if place + MemoryLayout<Value>.size > storage.pointee.end {
      place = addBlock(holding: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    }
    place.initializeMemory(as: Value.self, to: value)
    storage.pointee.next = place + MemoryLayout<Value>.size
    storage.pointee.entries.append(Entry(type: Value.self, place: place))
  }

  /// Moves a value out of its place; `nil` if it is of another type or was taken already.
  @inlinable
  func take<Value>(_ index: Int, as type: Value.Type) -> Value? {
    guard index < count else { return nil }
    let entry = storage.pointee.entries[index]
    guard entry.type == Value.self, let place = entry.place else { return nil }
    storage.pointee.entries[index].place = nil
    return place.assumingMemoryBound(to: Value.self).move()
  }

  /// Removes the values from `index` on.
  @usableFromInline
  func removeAll(from index: Int) {
    for entry in storage.pointee.entries[index...] {
      if let place = entry.place { Self.destroy(entry.type, at: place) }
    }
    storage.pointee.entries.removeSubrange(index...)
    // While values are left, the memory of those that are gone is not used again.
    guard index == 0 else { return }
    let first = storage.pointee.blocks[0]
    for block in storage.pointee.blocks.dropFirst() { block.deallocate() }
    storage.pointee.blocks.removeSubrange(1...)
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
