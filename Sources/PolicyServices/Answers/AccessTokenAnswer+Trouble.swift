import AppProtection

extension AccessTokenAnswer {
  /// The token, if it can stand in a header.
  func token() throws(ServiceTrouble) -> String {
    switch self {
    case .token(let token):
      guard !token.isEmpty, token.utf8.count <= 65_536, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .refused(.adalInternalError, "the token library returned a token with characters that no header may have")
      }
      return token
    case .interactionRequired(let text): throw .signInRequired(text)
    case .denied(TokenDenied.protectionRequired, let text): throw .protectionRequired(text)
    case .denied(let error, let text):
      throw .refused(.adalInternalError, "the token library failed with \(error): \(text)")
    case .unreachable(let text): throw .unreachable(text)
    case .canceled: throw .signInCanceled
    }
  }
}
