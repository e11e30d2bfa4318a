#include "crc32.h"
#include <zlib.h>
