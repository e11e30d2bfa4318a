// The declarations of CryptoKit that PolicyJournal uses, as https://developer.apple.com/documentation/cryptokit publishes
// them. Only types matter here: nothing is linked.

/// Foundation's, as far as results of CryptoKit are read.
public struct Data: RandomAccessCollection, Sendable {
  public typealias Element = UInt8
  public typealias Index = Int
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(_ place: Int) -> UInt8 { 0 }
}

/// Foundation's.
public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension UnsafeRawBufferPointer: DataProtocol {}
extension Data: DataProtocol {}

/// Foundation's.
public protocol ContiguousBytes {}
extension UnsafeRawBufferPointer: ContiguousBytes {}

public struct SymmetricKey: Sendable {
  public init(data: some ContiguousBytes) {}
}

public struct SHA256Digest: Sequence, Sendable {
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public protocol HashFunction {
  associatedtype Digest
}

public struct SHA256: HashFunction, Sendable {
  public typealias Digest = SHA256Digest
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct HashedAuthenticationCode<Hash: HashFunction> {
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

public struct HMAC<Hash: HashFunction> {
  public static func authenticationCode(
    for data: some DataProtocol, using key: SymmetricKey
  ) -> HashedAuthenticationCode<Hash> {
    HashedAuthenticationCode()
  }
}

public enum AES {
  public enum GCM {
    public struct Nonce {
      public init(data: some DataProtocol) throws {}
    }

    public struct SealedBox {
      public init(nonce: Nonce, ciphertext: some DataProtocol, tag: some DataProtocol) throws {}
      public var ciphertext: Data { Data() }
      public var tag: Data { Data() }
    }

    public static func seal(
      _ message: some DataProtocol, using key: SymmetricKey, nonce: Nonce? = nil, authenticating data: some DataProtocol
    ) throws -> SealedBox {
      fatalError()
    }

    public static func open(
      _ sealedBox: SealedBox, using key: SymmetricKey, authenticating data: some DataProtocol
    ) throws -> Data {
      Data()
    }
  }
}
