// The declarations of zlib 1.2.12, which is part of Apple's systems, that PolicyJournal uses: https://zlib.net/manual.html.
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef unsigned char Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong;
typedef uLong uLongf;
typedef void *voidpf;
typedef struct z_stream_s {
  Bytef *_Null_unspecified next_in;
  uInt avail_in;
  uLong total_in;
  Bytef *_Null_unspecified next_out;
  uInt avail_out;
  uLong total_out;
  const char *_Null_unspecified msg;
  struct internal_state *_Null_unspecified state;
  voidpf _Null_unspecified (*_Null_unspecified zalloc)(voidpf _Null_unspecified, uInt, uInt);
  void (*_Null_unspecified zfree)(voidpf _Null_unspecified, voidpf _Null_unspecified);
  voidpf _Null_unspecified opaque;
  int data_type;
  uLong adler, reserved;
} z_stream;
typedef z_stream *_Null_unspecified z_streamp;
#define ZLIB_VERSION "1.2.12"
#define Z_NO_FLUSH 0
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BUF_ERROR (-5)
#define Z_BEST_COMPRESSION 9
#define Z_DEFAULT_COMPRESSION (-1)
#define Z_DEFAULT_STRATEGY 0
#define Z_DEFLATED 8
uLong crc32_z(uLong crc, const Bytef *_Null_unspecified bytes, size_t count);
uLong crc32_combine(uLong first, uLong second, long count);
uLong compressBound(uLong count);
int compress2(
    Bytef *_Null_unspecified target, uLongf *_Null_unspecified targetCount, const Bytef *_Null_unspecified source,
    uLong count, int level);
int uncompress2(
    Bytef *_Null_unspecified target, uLongf *_Null_unspecified targetCount, const Bytef *_Null_unspecified source,
    uLong *_Null_unspecified count);
int deflateInit2_(
    z_streamp stream, int level, int method, int windowBits, int memoryLevel, int strategy,
    const char *_Null_unspecified version, int size);
int deflate(z_streamp stream, int flush);
int deflateEnd(z_streamp stream);
int inflateInit2_(z_streamp stream, int windowBits, const char *_Null_unspecified version, int size);
int inflate(z_streamp stream, int flush);
int inflateEnd(z_streamp stream);
