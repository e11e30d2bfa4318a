// The declarations of libarchive 3 that Archives uses, as on macOS, where a mode has 16 bits: archive.h and archive_entry.h of
// https://github.com/libarchive/libarchive.
#pragma once

typedef __SIZE_TYPE__ size_t;
struct archive;
struct archive_entry;
#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FORMAT_BASE_MASK 0xff0000
#define ARCHIVE_FORMAT_ZIP 0x50000
struct archive *_Null_unspecified archive_read_new(void);
int archive_read_free(struct archive *_Null_unspecified archive);
int archive_read_support_format_zip_seekable(struct archive *_Null_unspecified archive);
int archive_read_support_format_zip_streamable(struct archive *_Null_unspecified archive);
int archive_read_support_format_tar(struct archive *_Null_unspecified archive);
int archive_read_support_filter_gzip(struct archive *_Null_unspecified archive);
int archive_read_support_filter_xz(struct archive *_Null_unspecified archive);
int archive_read_support_filter_zstd(struct archive *_Null_unspecified archive);
int archive_read_open_memory(
    struct archive *_Null_unspecified archive, const void *_Null_unspecified bytes, size_t count);
int archive_read_next_header(
    struct archive *_Null_unspecified archive, struct archive_entry *_Null_unspecified *_Null_unspecified entry);
long archive_read_data(struct archive *_Null_unspecified archive, void *_Null_unspecified buffer, size_t count);
int archive_read_data_block(
    struct archive *_Null_unspecified archive, const void *_Nullable *_Null_unspecified block,
    size_t *_Null_unspecified count, long long *_Null_unspecified offset);
long long archive_filter_bytes(struct archive *_Null_unspecified archive, int filter);
int archive_format(struct archive *_Null_unspecified archive);
const char *_Null_unspecified archive_error_string(struct archive *_Null_unspecified archive);
const char *_Null_unspecified archive_entry_pathname(struct archive_entry *_Null_unspecified entry);
const char *_Null_unspecified archive_entry_pathname_utf8(struct archive_entry *_Null_unspecified entry);
const char *_Null_unspecified archive_entry_hardlink(struct archive_entry *_Null_unspecified entry);
const char *_Null_unspecified archive_entry_symlink(struct archive_entry *_Null_unspecified entry);
unsigned short archive_entry_filetype(struct archive_entry *_Null_unspecified entry);
int archive_entry_size_is_set(struct archive_entry *_Null_unspecified entry);
long long archive_entry_size(struct archive_entry *_Null_unspecified entry);
