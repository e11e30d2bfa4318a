// SHA256_Init, _Update and _Final are deprecated in favour of functions that look up a provider, which takes longer than a
// digest of a few dozen bytes.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
