extension TableNode {
  /// Releases what a slot had. Whether that is an entry or a node does not matter, and is not looked up at run time.
  @inlinable @inline(__always)
  static func release(_ child: UnsafeRawPointer) { Unmanaged<AnyObject>.fromOpaque(child).release() }

  /// Puts an entry into a leaf.
  @inlinable
  func insert(_ entry: Entry, at slot: Int) {
    let key = entry.address.pointee.key
    insert(TableSlot(key: key, Unmanaged.passRetained(entry).toOpaque()), at: slot)
    head.pointee.count += 1
    head.pointee.outline.formUnion(entry.head.pointee)
  }

  /// Puts a part into an inner node.
  @inlinable
  func insert(_ part: TableNode, at slot: Int) {
    let key = part.head.pointee.sample
    insert(TableSlot(key: key, Unmanaged.passRetained(part).toOpaque()), at: slot)
    head.pointee.digits |= head.pointee.bit(of: key)
    head.pointee.count += part.count
    head.pointee.outline.formUnion(part.head.pointee.outline)
  }

  @inlinable
  func insert(_ new: consuming TableSlot, at slot: Int) {
    precondition(head.pointee.slotCount < Self.capacity)
    (slots + slot + 1).moveInitialize(from: slots + slot, count: head.pointee.slotCount - slot)
    (slots + slot).initialize(to: new)
    head.pointee.slotCount += 1
  }

  /// Takes what a slot has out of the node.
  @inlinable
  func removeSlot(_ slot: Int) {
    let removed = (slots + slot).move()
    head.pointee.slotCount -= 1
    (slots + slot).moveInitialize(from: slots + slot + 1, count: head.pointee.slotCount - slot)
    if !isLeaf { head.pointee.digits &= ~head.pointee.bit(of: removed.key) }
    Self.release(removed.child)
  }

  /// Makes a node the caller's own, so that it can change.
  @inlinable
  static func makeUnique(_ node: inout TableNode) {
    guard !isKnownUniquelyReferenced(&node) else { return }
    let (copy, slots) = (create(node.head.pointee), node.slots)
    for index in 0..<node.head.pointee.slotCount {
      let child = slots[index].child
      _ = Unmanaged<AnyObject>.fromOpaque(child).retain()
      (copy.slots + index).initialize(
        to: TableSlot(key: slots[index].key, child, DigestCache(copying: slots[index].digest)))
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

  /// The entry with this key, if nothing else has it or a node on the way: its row can be changed in place. Forgets the digests on
  /// the way.
  @inlinable @inline(never)
  static func ownEntry(_ key: UInt64, in node: inout TableNode) -> Unmanaged<Entry>? {
    guard isKnownUniquelyReferenced(&node) else { return nil }
    // Unmanaged, as in ``address(_:)``.
    var place = Unmanaged.passUnretained(node)
    while true {
      let (child, isLeaf) = place._withUnsafeGuaranteedRef { ($0.ownChild(for: key), $0.isLeaf) }
      guard let child else { return nil }
      if isLeaf { return Unmanaged.fromOpaque(child) }
      place = Unmanaged.fromOpaque(child)
    }
  }

  /// What the slot for a key has, unless the node cannot have the key or something else has it, too. Forgets its digest.
  @inlinable @inline(__always)
  func ownChild(for key: UInt64) -> UnsafeRawPointer? {
    guard let child = child(for: key) else { return nil }
    let slot = slots + slot(for: key)
    let isOwn = withUnsafeMutablePointer(to: &slot.pointee.child) { child in
      isLeaf
        ? child.withMemoryRebound(to: Entry.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        : child.withMemoryRebound(to: TableNode.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }
    guard isOwn else { return nil }
    slot.pointee.digest.forget()
    return child
  }

  /// Replaces the row with its key where that changes nothing else: nothing shares it, and its outline stays.
  @inlinable
  static func replace(with row: Row, in node: inout TableNode) -> Bool {
    ownEntry(row.key, in: &node)?._withUnsafeGuaranteedRef { entry in
      guard row.outline == entry.head.pointee else { return false }
      entry.address.pointee = row
      return true
    } ?? false
  }

  /// Changes the row with this key in place where nothing shares it.
  @inlinable
  static func updateOwn(_ key: UInt64, in node: inout TableNode, _ change: (inout Row) -> Void) -> Bool {
    guard let entry = ownEntry(key, in: &node) else { return false }
    let isOther = entry._withUnsafeGuaranteedRef { entry in
      change(&entry.address.pointee)
      if entry.address.pointee.key != key { Row.refuse(entry.address.pointee.key, at: key) }
      return entry.renewOutline()
    }
    if isOther { node.renewOutlines(for: key) }
    return true
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
        if entry.address.pointee.key != key { Row.refuse(entry.address.pointee.key, at: key) }
        return entry.renewOutline()
      }
    } else {
      isOther = node.change(slot, as: TableNode.self) { update(key, in: &$0, change) }
    }
    return isOther && node.renewOutline()
  }

  /// Adds an entry, or replaces the one with its key. Returns whether the outline is another one: where it is not, no other row is
  /// looked at.
  @inlinable @discardableResult
  static func insert(_ entry: Entry, _ key: UInt64, into node: inout TableNode) -> Bool {
    let outline = node.head.pointee.outline
    let slot = node.slot(for: key)
    if node.isLeaf {
      if slot < node.head.pointee.slotCount, node.slots[slot].key == key {
        makeUnique(&node)
        let isOther = node.change(slot, as: Entry.self) { old in
          defer { old = entry }
          return old.head.pointee != entry.head.pointee
        }
        return isOther && node.renewOutline()
      }
      if node.head.pointee.slotCount < capacity {
        makeUnique(&node)
        node.insert(entry, at: slot)
      } else {
        var entries = node.entries
        entries.insert(entry, at: slot)
        node = split(entries[...])
      }
    } else if !node.head.pointee.covers(key) {
      let parts = key < node.head.pointee.sample ? [leaf([entry]), node] : [node, leaf([entry])]
      node = inner(parts, shift: NodeHeader.shift(between: key, node.head.pointee.sample))
    } else {
      makeUnique(&node)
      if node.head.pointee.digits & node.head.pointee.bit(of: key) == 0 {
        node.insert(leaf([entry]), at: slot)
      } else {
        let (added, isOther) = node.change(slot, as: TableNode.self) { part in
          let count = part.count
          let isOther = insert(entry, key, into: &part)
          return (part.count - count, isOther)
        }
        node.head.pointee.count += added
        return isOther && node.renewOutline()
      }
    }
    return node.head.pointee.outline != outline
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
    node.head.pointee.count -= 1
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
    } else if node.head.pointee.slotCount == 1 {
      node = node.part(in: 0).takeUnretainedValue()
    }
  }

  /// Follows a change of the row with this key, from its leaf upwards.
  @inlinable
  func renewOutlines(for key: UInt64) {
    if !isLeaf { part(in: slot(for: key))._withUnsafeGuaranteedRef { $0.renewOutlines(for: key) } }
    renewOutline()
  }

  /// Follows a change of what the slots have. Returns whether the outline of the rows is another one.
  @inlinable @discardableResult
  func renewOutline() -> Bool {
    var outline = Row.Outline()
    for slot in 0..<head.pointee.slotCount { outline.formUnion(self.outline(in: slot)) }
    guard outline != head.pointee.outline else { return false }
    head.pointee.outline = outline
    return true
  }
}
