import Peers

/// Who takes part: a column of the table.
enum Contestant: String, CaseIterable {
  /// The typed store: commands, events, state.
  case store
  /// The journal alone: payloads of bytes.
  case journal
  /// Protected files.
  case protected
  /// The same system calls, checksums and ciphers in C.
  case limit
  case sqlite
  case lmdb
  case leveldb
  case rocksdb

  var title: String {
    switch self {
    case .store: "typed store"
    case .journal: "journal"
    case .protected: "protected file"
    case .limit: "C limit"
    case .sqlite: "SQLite"
    case .lmdb: "LMDB"
    case .leveldb: "LevelDB"
    case .rocksdb: "RocksDB"
    }
  }

  /// The other engines.
  static let peers: [(contestant: Contestant, kind: peer_kind)] = [
    (.sqlite, PEER_SQLITE), (.lmdb, PEER_LMDB), (.leveldb, PEER_LEVELDB), (.rocksdb, PEER_ROCKSDB),
  ]
}
