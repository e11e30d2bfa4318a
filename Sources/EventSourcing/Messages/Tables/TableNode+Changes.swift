extension TableNode {
  /// Releases what a slot had.
  @inlinable
  func release(_ child: UnsafeRawPointer) {
    if isLeaf { Unmanaged<Entry>.fromOpaque(child).release() } else { Unmanaged<TableNode>.fromOpaque(child).release() }
  }

  /// Puts an entry into a leaf.
  @inlinable
  func insert(_ entry: Entry, at slot: Int) {
    let key = entry.address.pointee.key
    insert(TableSlot(key: key, Unmanaged.passRetained(entry).toOpaque()), at: slot)
    header.count += 1
    header.outline.formUnion(entry.header)
  }

  /// Puts a part into an inner node.
  @inlinable
  func insert(_ part: TableNode, at slot: Int) {
    let key = part.header.sample
    insert(TableSlot(key: key, Unmanaged.passRetained(part).toOpaque()), at: slot)
    header.digits |= header.bit(of: key)
    header.count += part.count
    header.outline.formUnion(part.header.outline)
  }

  @inlinable
  func insert(_ new: consuming TableSlot, at slot: Int) {
    precondition(header.slotCount < Self.capacity)
    (slots + slot + 1).moveInitialize(from: slots + slot, count: header.slotCount - slot)
    (slots + slot).initialize(to: new)
    header.slotCount += 1
  }

  /// Takes what a slot has out of the node.
  @inlinable
  func removeSlot(_ slot: Int) {
    let removed = (slots + slot).move()
    header.slotCount -= 1
    (slots + slot).moveInitialize(from: slots + slot + 1, count: header.slotCount - slot)
    if !isLeaf { header.digits &= ~header.bit(of: removed.key) }
    release(removed.child)
  }

  /// Makes a node the caller's own, so that it can change.
  @inlinable
  static func makeUnique(_ node: inout TableNode) {
    guard !isKnownUniquelyReferenced(&node) else { return }
    let (copy, slots) = (create(node.header), node.slots)
    for index in 0..<node.header.slotCount {
      let child = slots[index].child
      if node.isLeaf {
        _ = Unmanaged<Entry>.fromOpaque(child).retain()
      } else {
        _ = Unmanaged<TableNode>.fromOpaque(child).retain()
      }
      let digest = DigestCache(slots[index].digest.digest)
      (copy.slots + index).initialize(to: TableSlot(key: slots[index].key, child, digest))
    }
    node = copy
  }

  /// Makes an entry the caller's own, so that its row can change.
  @inlinable
  static func makeUnique(_ entry: inout Entry) {
    if !isKnownUniquelyReferenced(&entry) { entry = Entry.create(entry.row) }
  }

  /// Changes what a slot has; the node must be the caller's own.
  @inlinable @inline(__always)
  func change<Child: AnyObject, Result>(_ slot: Int, as type: Child.Type, _ body: (inout Child) -> Result) -> Result {
    slots[slot].digest.forget()
    // Taken out, so that it has one owner while it changes.
    var child = Unmanaged<Child>.fromOpaque(slots[slot].child).takeRetainedValue()
    defer { slots[slot].child = UnsafeRawPointer(Unmanaged.passRetained(child).toOpaque()) }
    return body(&child)
  }

  /// Changes the row with this key, which the node has. Returns whether the outline is another one.
  @inlinable @discardableResult
  static func update(_ key: UInt64, in node: inout TableNode, _ change: (inout Row) -> Void) -> Bool {
    makeUnique(&node)
    let slot = node.slot(for: key)
    let isOther: Bool
    if node.isLeaf {
      isOther = node.change(slot, as: Entry.self) { entry in
        makeUnique(&entry)
        change(&entry.address.pointee)
        assert(entry.address.pointee.key == key)
        return entry.renewOutline()
      }
    } else {
      isOther = node.change(slot, as: TableNode.self) { update(key, in: &$0, change) }
    }
    return isOther && node.renewOutline()
  }

  /// Adds an entry, or replaces the one with its key.
  @inlinable
  static func insert(_ entry: Entry, _ key: UInt64, into node: inout TableNode) {
    let slot = node.slot(for: key)
    if node.isLeaf {
      if slot < node.header.slotCount, node.slots[slot].key == key {
        makeUnique(&node)
        node.change(slot, as: Entry.self) { $0 = entry }
        node.renewOutline()
      } else if node.header.slotCount < capacity {
        makeUnique(&node)
        node.insert(entry, at: slot)
      } else {
        var entries = node.entries
        entries.insert(entry, at: slot)
        node = split(entries[...])
      }
    } else if !node.header.covers(key) {
      let parts = key < node.header.sample ? [leaf([entry]), node] : [node, leaf([entry])]
      node = inner(parts, shift: NodeHeader.shift(between: key, node.header.sample))
    } else {
      makeUnique(&node)
      if node.header.digits & node.header.bit(of: key) == 0 {
        node.insert(leaf([entry]), at: slot)
      } else {
        let added = node.change(slot, as: TableNode.self) { part in
          let count = part.count
          insert(entry, key, into: &part)
          return part.count - count
        }
        node.header.count += added
        node.renewOutline()
      }
    }
  }

  /// A node of entries in the order of their keys.
  @inlinable
  static func split(_ entries: ArraySlice<Entry>) -> TableNode {
    guard entries.count > capacity, let first = entries.first?.address.pointee.key,
      let last = entries.last?.address.pointee.key
    else { return leaf(entries) }
    let shift = NodeHeader.shift(between: first, last)
    var parts: [TableNode] = []
    var start = entries.startIndex
    while start < entries.endIndex {
      let digit = entries[start].address.pointee.key &>> shift
      var end = start + 1
      while end < entries.endIndex, entries[end].address.pointee.key &>> shift == digit { end += 1 }
      parts.append(split(entries[start..<end]))
      start = end
    }
    return inner(parts, shift: shift)
  }

  /// Removes the entry with this key, which the node has. A node that becomes empty is the caller's to remove.
  @inlinable
  static func remove(_ key: UInt64, from node: inout TableNode) {
    makeUnique(&node)
    let slot = node.slot(for: key)
    node.header.count -= 1
    let isEmpty =
      node.isLeaf
      || node.change(slot, as: TableNode.self) { part in
        remove(key, from: &part)
        return part.count == 0
      }
    if isEmpty { node.removeSlot(slot) }
    node.renewOutline()
    guard !node.isLeaf else { return }
    if node.count <= capacity {
      node = leaf(node.allEntries)
    } else if node.header.slotCount == 1 {
      node = node.part(in: 0).takeUnretainedValue()
    }
  }

  /// Follows a change of what the slots have. Returns whether the outline of the rows is another one.
  @inlinable @discardableResult
  func renewOutline() -> Bool {
    var outline = Row.Outline()
    for slot in 0..<header.slotCount { outline.formUnion(self.outline(in: slot)) }
    guard outline != header.outline else { return false }
    header.outline = outline
    return true
  }
}
