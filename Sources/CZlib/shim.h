#include <zlib.h>

#include "crc32_folding.h"
