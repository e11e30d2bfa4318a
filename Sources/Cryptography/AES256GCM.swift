#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Authenticated encryption with AES-256-GCM (NIST SP 800-38D) under one key: by CryptoKit on Apple platforms, by libcrypto
/// elsewhere.
///
/// Keeps the expanded key, so that many short texts cost little, and shows no key. libcrypto and CryptoKit clear theirs when they
/// free it. Not for use by several threads at a time.
package final class AES256GCM: CustomReflectable {
  /// The length of a key in bytes.
  package static let keyByteCount = 32
  /// The length of a nonce in bytes.
  package static let nonceByteCount = 12
  /// The length of a tag in bytes.
  package static let tagByteCount = 16

  /// The key that it was made with.
  private let bytes: KeyBytes

  #if canImport(CryptoKit)
    private let key: SymmetricKey

    /// `nil` unless the key has 32 bytes.
    package init?(key: KeyBytes) {
      guard key.count == Self.keyByteCount else { return nil }
      bytes = key
      self.key = key.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// Encrypts `text` into `output`, which has the same length, and writes the tag of both `context` and `text`. A nonce must
    /// never be used twice with one key.
    ///
    /// - Returns: `false` if the library failed, as when it is out of memory.
    package func seal(
      _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer,
      nonce: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer
    ) -> Bool {
      guard output.count == text.count, tag.count == Self.tagByteCount, let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.seal(text, using: key, nonce: nonce, authenticating: context)
      else { return false }
      output.copyBytes(from: box.ciphertext)
      tag.copyBytes(from: box.tag)
      return true
    }

    /// Decrypts `text` into `output`, which has the same length.
    ///
    /// - Returns: `false` if the tag is not that of the key, the nonce, the context and the text. `output` then holds nothing
    ///   of use.
    package func open(
      _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, tag: UnsafeRawBufferPointer,
      nonce: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer
    ) -> Bool {
      guard output.count == text.count, let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: text, tag: tag),
        let opened = try? AES.GCM.open(box, using: key, authenticating: context)
      else { return false }
      output.copyBytes(from: opened)
      return true
    }
  #else
    private let sealing: OpaquePointer
    private let opening: OpaquePointer
    /// libcrypto counts in 32 bits.
    private static let longestPart = 1 << 30

    /// `nil` unless the key has 32 bytes, or if libcrypto is out of memory.
    package init?(key: KeyBytes) {
      guard key.count == Self.keyByteCount, let sealing = EVP_CIPHER_CTX_new() else { return nil }
      guard let opening = EVP_CIPHER_CTX_new() else {
        EVP_CIPHER_CTX_free(sealing)
        return nil
      }
      bytes = key
      self.sealing = sealing
      self.opening = opening
      let isReady = key.withUnsafeBytes { key in
        EVP_EncryptInit_ex(sealing, EVP_aes_256_gcm(), nil, Self.bytes(key), nil) == 1
          && EVP_DecryptInit_ex(opening, EVP_aes_256_gcm(), nil, Self.bytes(key), nil) == 1
      }
      guard isReady else { return nil }
    }

    deinit {
      EVP_CIPHER_CTX_free(sealing)
      EVP_CIPHER_CTX_free(opening)
    }

    /// Encrypts `text` into `output`, which has the same length, and writes the tag of both `context` and `text`. A nonce must
    /// never be used twice with one key.
    ///
    /// - Returns: `false` if the library failed, as when it is out of memory.
    package func seal(
      _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer,
      nonce: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer
    ) -> Bool {
      guard output.count == text.count, tag.count == Self.tagByteCount, nonce.count == Self.nonceByteCount,
        EVP_EncryptInit_ex(sealing, nil, nil, nil, Self.bytes(nonce)) == 1
      else { return false }
      var count: Int32 = 0
      let isDone =
        Self.forEachPart(of: context) { EVP_EncryptUpdate(sealing, nil, &count, $0, $1) }
        && Self.forEachPart(of: text, into: output) { EVP_EncryptUpdate(sealing, $2, &count, $0, $1) }
      var rest: UInt8 = 0
      return isDone && EVP_EncryptFinal_ex(sealing, &rest, &count) == 1
        && EVP_CIPHER_CTX_ctrl(sealing, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag.baseAddress) == 1
    }

    /// Decrypts `text` into `output`, which has the same length.
    ///
    /// - Returns: `false` if the tag is not that of the key, the nonce, the context and the text. `output` then holds nothing
    ///   of use.
    package func open(
      _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, tag: UnsafeRawBufferPointer,
      nonce: UnsafeRawBufferPointer, context: UnsafeRawBufferPointer
    ) -> Bool {
      guard output.count == text.count, tag.count == Self.tagByteCount, nonce.count == Self.nonceByteCount,
        EVP_DecryptInit_ex(opening, nil, nil, nil, Self.bytes(nonce)) == 1
      else { return false }
      var count: Int32 = 0
      let isDone =
        Self.forEachPart(of: context) { EVP_DecryptUpdate(opening, nil, &count, $0, $1) }
        && Self.forEachPart(of: text, into: output) { EVP_DecryptUpdate(opening, $2, &count, $0, $1) }
      var rest: UInt8 = 0
      // libcrypto takes the tag as a pointer to change, and only reads it.
      let expected = UnsafeMutableRawPointer(mutating: tag.baseAddress)
      return isDone
        && EVP_CIPHER_CTX_ctrl(opening, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), expected) == 1
        && EVP_DecryptFinal_ex(opening, &rest, &count) == 1
    }

    private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
      buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    private static func forEachPart(
      of input: UnsafeRawBufferPointer, _ update: (UnsafePointer<UInt8>, Int32) -> Int32
    ) -> Bool {
      forEachPart(of: input, into: UnsafeMutableRawBufferPointer(mutating: input)) { bytes, count, _ in
        update(bytes, count)
      }
    }

    private static func forEachPart(
      of input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
      _ update: (UnsafePointer<UInt8>, Int32, UnsafeMutablePointer<UInt8>) -> Int32
    ) -> Bool {
      guard let from = bytes(input), let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
        return true
      }
      var place = 0
      while place < input.count {
        let count = min(input.count - place, longestPart)
        guard update(from + place, Int32(count), target + place) == 1 else { return false }
        place += count
      }
      return true
    }
  #endif

  /// The same cipher for another thread; `nil` if the library failed.
  package func copy() -> AES256GCM? { AES256GCM(key: bytes) }

  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Encrypts `text`: the ciphertext, followed by the tag. `nil` if the library failed.
  package func seal(_ text: [UInt8], nonce: [UInt8], context: [UInt8]) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: text.count + Self.tagByteCount)
    let isDone = output.withUnsafeMutableBytes { output in
      let body = UnsafeMutableRawBufferPointer(rebasing: output[..<text.count])
      let tag = UnsafeMutableRawBufferPointer(rebasing: output[text.count...])
      return text.withUnsafeBytes { text in
        nonce.withUnsafeBytes { nonce in
          context.withUnsafeBytes { seal(text, into: body, tag: tag, nonce: nonce, context: $0) }
        }
      }
    }
    return isDone ? output : nil
  }

  /// Decrypts what ``seal(_:nonce:context:)`` returned; `nil` if another key sealed it, or if it or the context was changed.
  package func open(_ sealed: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>, context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagByteCount else { return nil }
    var output = [UInt8](repeating: 0, count: sealed.count - Self.tagByteCount)
    let isDone = output.withUnsafeMutableBytes { output in
      sealed.withUnsafeBytes { sealed in
        let body = UnsafeRawBufferPointer(rebasing: sealed[..<output.count])
        let tag = UnsafeRawBufferPointer(rebasing: sealed[output.count...])
        return nonce.withUnsafeBytes { nonce in
          context.withUnsafeBytes { open(body, into: output, tag: tag, nonce: nonce, context: $0) }
        }
      }
    }
    return isDone ? output : nil
  }
}
