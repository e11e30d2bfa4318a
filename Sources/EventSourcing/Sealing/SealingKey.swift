import CCrypto

/// A key of 256 bits that seals values with AES-256-GCM (NIST SP 800-38D) and authenticates others with HMAC-SHA-256
/// (RFC 2104), by libcrypto.
///
/// Keys come from a key store, which also destroys them: see ``SealingKeys``.
public struct SealingKey: Equatable, Sendable {
  /// The length of a key, 32 bytes.
  public static let byteCount = 32
  static let nonceByteCount = 12
  static let tagByteCount = 16

  private let bytes: [UInt8]

  /// The key with these random bytes; `nil` unless there are 32.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Encrypts `text`, and authenticates it together with `context`: the ciphertext, followed by the tag. A nonce must never
  /// be used twice with one key.
  ///
  /// libcrypto fails only if it is out of memory or lacks the algorithm; the program then stops, as it does when an array
  /// cannot allocate.
  func seal(_ text: [UInt8], nonce: [UInt8], context: [UInt8]) -> [UInt8] {
    precondition(nonce.count == Self.nonceByteCount, "a nonce has 12 bytes")
    var output = [UInt8](repeating: 0, count: text.count + Self.tagByteCount)
    let isDone = withContext { cipher in
      var count: Int32 = 0
      guard EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, bytes, nonce) == 1,
        EVP_EncryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1
      else { return false }
      return output.withUnsafeMutableBufferPointer { output in
        guard let start = output.baseAddress, EVP_EncryptUpdate(cipher, start, &count, text, Int32(text.count)) == 1,
          EVP_EncryptFinal_ex(cipher, start + text.count, &count) == 1
        else { return false }
        return EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), start + text.count) == 1
      }
    }
    precondition(isDone, "libcrypto cannot encrypt: it is out of memory or installed incompletely")
    return output
  }

  /// Decrypts what ``seal(_:nonce:context:)`` returned; `nil` if another key sealed it, or if it or the context was changed.
  func open(_ sealed: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>, context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagByteCount, nonce.count == Self.nonceByteCount else { return nil }
    let (body, nonce) = (Array(sealed.dropLast(Self.tagByteCount)), Array(nonce))
    var tag = Array(sealed.suffix(Self.tagByteCount))
    // libcrypto wants an address even for no bytes.
    var output = [UInt8](repeating: 0, count: max(1, body.count))
    let isDone = withContext { cipher in
      var count: Int32 = 0
      guard EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, bytes, nonce) == 1,
        EVP_DecryptUpdate(cipher, nil, &count, context, Int32(context.count)) == 1,
        EVP_DecryptUpdate(cipher, &output, &count, body, Int32(body.count)) == 1,
        EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagByteCount), &tag) == 1
      else { return false }
      var rest: UInt8 = 0
      return EVP_DecryptFinal_ex(cipher, &rest, &count) == 1
    }
    return isDone ? Array(output[..<body.count]) : nil
  }

  /// The HMAC-SHA-256 of `bytes`, for telling them apart without keeping them.
  func authenticationCode(of bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Digest.byteCount)
    var count: UInt32 = 0
    let isDone =
      HMAC(EVP_sha256(), self.bytes, Int32(self.bytes.count), bytes, bytes.count, &output, &count) != nil
    precondition(
      isDone && Int(count) == Digest.byteCount,
      "libcrypto computes no HMAC: it is out of memory or installed incompletely")
    return output
  }

  private func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    return body(context)
  }
}
