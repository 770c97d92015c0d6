// What the same frames cost in C: header, compression and checksum into a target; reading with every check. Takes commands from
// stdin, one a line, and answers each with one line on stdout, so that its turns can alternate with those of another process.
//
//   versions                    name and version of each library
//   content BYTES               then so many bytes: what `encode` works on
//   frame BYTES                 then so many bytes: what `decode` works on
//   encode CODEC PART CALLS     nanoseconds that all calls took, length of the result
//   decode CODEC PART CALLS
//   result                      length of the last result; then its bytes
//
// CODEC is raw (memcpy), stored, lz4 or zstd; PART is frame, or compress or hash for that step by itself.

#define _POSIX_C_SOURCE 200809L
#define XXH_INLINE_ALL
#include <lz4.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>
#include <zstd.h>

enum { HEADER = 18, CHECKSUM_AT = 10, VERSION = 2, ZSTD_LEVEL = 3, MAX_CONTENT = 8 * 1024 * 1024 };
enum { STORED_ID = 0, LZ4_ID = 3, ZSTD_ID = 4 };

static const unsigned char MAGIC[4] = {0x52, 0x56, 0x43, 0x00};

typedef struct {
  unsigned char *bytes;
  size_t length;
} Bytes;

static Bytes content, frame, target;
static size_t result_length;
static size_t sealed_payload;
static LZ4_stream_t *lz4_state;
static ZSTD_CCtx *zstd_writer;
static ZSTD_DCtx *zstd_reader;

// 0 is a failure for all of them: no case has an empty result.
typedef size_t (*Step)(void);

static void put_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static void put_u64(unsigned char *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t get_u64(const unsigned char *at) { return (uint64_t)get_u32(at) | (uint64_t)get_u32(at + 4) << 32; }

static size_t compress_lz4(unsigned char *to, size_t room) {
  // Reset, not cleared: what a caller that keeps its state would do.
  LZ4_resetStream_fast(lz4_state);
  int size = LZ4_compress_fast_continue(lz4_state, (const char *)content.bytes, (char *)to, (int)content.length, (int)room, 1);
  return size > 0 ? (size_t)size : 0;
}

static size_t compress_zstd(unsigned char *to, size_t room) {
  size_t size = ZSTD_compress2(zstd_writer, to, room, content.bytes, content.length);
  return ZSTD_isError(size) ? 0 : size;
}

static size_t seal(unsigned char id, size_t payload) {
  unsigned char *to = target.bytes;
  memcpy(to, MAGIC, sizeof MAGIC);
  to[4] = VERSION;
  to[5] = id;
  put_u32(to + 6, (uint32_t)content.length);
  put_u64(to + CHECKSUM_AT, XXH3_64bits(to + HEADER, payload));
  sealed_payload = payload;
  return HEADER + payload;
}

static size_t encode_stored(void) {
  memcpy(target.bytes + HEADER, content.bytes, content.length);
  return seal(STORED_ID, content.length);
}

static size_t encode_lz4(void) {
  size_t payload = compress_lz4(target.bytes + HEADER, content.length - 1);
  return payload > 0 ? seal(LZ4_ID, payload) : encode_stored();
}

static size_t encode_zstd(void) {
  size_t payload = compress_zstd(target.bytes + HEADER, content.length - 1);
  return payload > 0 ? seal(ZSTD_ID, payload) : encode_stored();
}

static size_t encode_raw(void) {
  memcpy(target.bytes, content.bytes, content.length);
  return content.length;
}

static size_t only_lz4(void) {
  size_t size = compress_lz4(target.bytes, content.length - 1);
  return size > 0 ? size : content.length;
}

static size_t only_zstd(void) {
  size_t size = compress_zstd(target.bytes, content.length - 1);
  return size > 0 ? size : content.length;
}

static volatile uint64_t digest;

// As many bytes as the payload of the last frame that was made: what a checksum takes depends on nothing else.
static size_t hash_sealed(void) {
  digest = XXH3_64bits(target.bytes + HEADER, sealed_payload);
  return sealed_payload;
}

static size_t hash_payload(void) {
  digest = XXH3_64bits(frame.bytes + HEADER, frame.length - HEADER);
  return frame.length - HEADER;
}

static size_t decompress(unsigned char id, size_t size) {
  const unsigned char *payload = frame.bytes + HEADER;
  size_t length = frame.length - HEADER;
  if (id == STORED_ID) {
    memcpy(target.bytes, payload, size);
    return size;
  }
  if (id == LZ4_ID) {
    int got = LZ4_decompress_safe((const char *)payload, (char *)target.bytes, (int)length, (int)size);
    return got == (int)size ? size : 0;
  }
  // One frame that is the whole payload, and no more.
  if (ZSTD_findFrameCompressedSize(payload, length) != length) return 0;
  size_t got = ZSTD_decompressDCtx(zstd_reader, target.bytes, size, payload, length);
  return got == size ? size : 0;
}

static size_t decode_frame(void) {
  const unsigned char *from = frame.bytes;
  if (frame.length < HEADER || memcmp(from, MAGIC, sizeof MAGIC) != 0 || from[4] != VERSION) return 0;
  unsigned char id = from[5];
  if (id != STORED_ID && id != LZ4_ID && id != ZSTD_ID) return 0;
  size_t size = get_u32(from + 6);
  size_t payload = frame.length - HEADER;
  if (size > MAX_CONTENT || size > target.length || (id == STORED_ID ? payload != size : payload >= size)) return 0;
  if (XXH3_64bits(from + HEADER, payload) != get_u64(from + CHECKSUM_AT)) return 0;
  return decompress(id, size);
}

static size_t decode_raw(void) {
  memcpy(target.bytes, frame.bytes, frame.length);
  return frame.length;
}

static size_t only_decompress(void) { return decompress(frame.bytes[5], get_u32(frame.bytes + 6)); }

static Step find_step(const char *operation, const char *codec, const char *part) {
  int encodes = strcmp(operation, "encode") == 0;
  if (strcmp(codec, "raw") == 0) return encodes ? encode_raw : decode_raw;
  if (strcmp(part, "hash") == 0) return encodes ? hash_sealed : hash_payload;
  if (strcmp(part, "compress") == 0) {
    if (!encodes) return only_decompress;
    return strcmp(codec, "lz4") == 0 ? only_lz4 : strcmp(codec, "zstd") == 0 ? only_zstd : NULL;
  }
  if (!encodes) return decode_frame;
  return strcmp(codec, "lz4") == 0 ? encode_lz4 : strcmp(codec, "zstd") == 0 ? encode_zstd : encode_stored;
}

static int64_t now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static void run(Step step, long calls) {
  // Through a volatile pointer, and with memory taken as read after each: no call may be left out or merged with the next.
  volatile Step volatile_step = step;
  size_t length = 0;
  int64_t before = now();
  for (long i = 0; i < calls; i++) {
    length = volatile_step();
    __asm__ volatile("" : : "r"(target.bytes) : "memory");
  }
  int64_t after = now();
  result_length = length;
  if (length == 0)
    printf("failed\n");
  else
    printf("%lld %zu\n", (long long)(after - before), length);
}

static void *must(void *memory) {
  if (memory == NULL) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return memory;
}

static void read_bytes(Bytes *into, size_t length) {
  if (length > MAX_CONTENT + HEADER) {
    fprintf(stderr, "%zu bytes are too many\n", length);
    exit(1);
  }
  into->bytes = must(realloc(into->bytes, length + 1));
  into->length = length;
  if (fread(into->bytes, 1, length, stdin) != length) {
    fprintf(stderr, "input ended early\n");
    exit(1);
  }
  printf("%zu\n", length);
}

static void answer(const char *line) {
  char operation[16], codec[16], part[16];
  long number;
  size_t length;
  Step step;
  if (strcmp(line, "versions\n") == 0) {
    printf("liblz4 %s libzstd %s libxxhash %d.%d.%d\n", LZ4_versionString(), ZSTD_versionString(), XXH_VERSION_MAJOR,
           XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
  } else if (sscanf(line, "content %zu", &length) == 1) {
    read_bytes(&content, length);
  } else if (sscanf(line, "frame %zu", &length) == 1) {
    read_bytes(&frame, length);
  } else if (strcmp(line, "result\n") == 0) {
    printf("%zu\n", result_length);
    fwrite(target.bytes, 1, result_length, stdout);
  } else if (sscanf(line, "%15s %15s %15s %ld", operation, codec, part, &number) == 4 && number > 0 &&
             (step = find_step(operation, codec, part)) != NULL) {
    run(step, number);
  } else {
    printf("unknown command\n");
  }
  fflush(stdout);
}

int main(void) {
  char line[128];
  target.length = MAX_CONTENT + HEADER;
  target.bytes = must(malloc(target.length));
  memset(target.bytes, 0, target.length);
  lz4_state = must(LZ4_createStream());
  zstd_writer = must(ZSTD_createCCtx());
  zstd_reader = must(ZSTD_createDCtx());
  ZSTD_CCtx_setParameter(zstd_writer, ZSTD_c_compressionLevel, ZSTD_LEVEL);
  while (fgets(line, sizeof line, stdin) != NULL) answer(line);
  return 0;
}
