#!/usr/bin/env python3
"""Makes the vectors with implementations that are not ours: the C libraries of LZ4, zstd, xxHash and zlib, and the tools brotli and zopfli.

Needs Python 3 and, on Debian, the packages liblz4-1 libzstd1 libxxhash0 brotli zopfli. Run it in this folder; it overwrites the *.json files.
Vectors are append-only: add entries at the end, never change or remove one. The tests compare every entry with manifest.txt.
"""

import ctypes
import hashlib
import json
import struct
import subprocess
import tempfile
import zlib

lz4 = ctypes.CDLL("liblz4.so.1")
zstd = ctypes.CDLL("libzstd.so.1")
xxhash = ctypes.CDLL("libxxhash.so.0")
lz4.LZ4_versionString.restype = ctypes.c_char_p
zstd.ZSTD_versionString.restype = ctypes.c_char_p
zstd.ZSTD_createCCtx.restype = ctypes.c_void_p
for name in ("ZSTD_compress2", "ZSTD_CCtx_setParameter", "ZSTD_compress_usingDict"):
    getattr(zstd, name).restype = ctypes.c_size_t
zstd.ZSTD_isError.argtypes = [ctypes.c_size_t]
xxhash.XXH3_64bits.restype = ctypes.c_uint64
xxhash.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
xxhash.XXH_versionNumber.restype = ctypes.c_uint


def tool_version(*command):
    output = subprocess.run(command, capture_output=True, text=True, check=True)
    return (output.stdout + output.stderr).strip().split()[-1].lstrip("v")


XXH = xxhash.XXH_versionNumber()
VERSIONS = {
    "lz4": lz4.LZ4_versionString().decode(),
    "zstd": zstd.ZSTD_versionString().decode(),
    "xxhash": f"{XXH // 10000}.{XXH // 100 % 100}.{XXH % 100}",
    "zlib": zlib.ZLIB_RUNTIME_VERSION,
    "brotli": tool_version("brotli", "--version"),
}
CHECKSUM_ORIGIN = {1: "SHA-256 by Python's hashlib", 2: f"XXH3-64 by libxxhash {VERSIONS['xxhash']}"}

# --- content: the same five forms that vectors.ts reads ---------------------------------------------------------------------


def xorshift32(seed, size):
    state, out = seed, bytearray()
    for _ in range(size):
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        out.append(state & 0xFF)
    return bytes(out)


def expand(form):
    if "hex" in form:
        return bytes.fromhex(form["hex"])
    if "parts" in form:
        return b"".join(expand(part) for part in form["parts"])
    size = form["bytes"]
    if "repeat" in form:
        unit = bytes.fromhex(form["repeat"])
        return (unit * (size // len(unit) + 1))[:size]
    if "random" in form:
        return xorshift32(form["random"], size)
    count, out = form["count"], bytearray()
    while len(out) < size:
        out += b"%d\n" % count
        count += 1
    return bytes(out[:size])


def literal(data):
    return {"hex": data.hex()}


def repeat(unit, size):
    return {"repeat": unit.hex(), "bytes": size}


def random(seed, size):
    return {"random": seed, "bytes": size}


def count(start, size):
    return {"count": start, "bytes": size}


def parts(*forms):
    return {"parts": list(forms)}


def described(form):
    return form if "hex" in form else {**form, "sha256": hashlib.sha256(expand(form)).hexdigest()}


# --- frames -----------------------------------------------------------------------------------------------------------------


def checksum(version, payload):
    if version == 1:
        return hashlib.sha256(payload).digest()[:8]
    return struct.pack("<Q", xxhash.XXH3_64bits(payload, len(payload)))


def frame(version, codec, size, payload):
    return b"RVC\0" + bytes([version, codec]) + struct.pack("<I", size) + checksum(version, payload) + payload


def file_of(name, entries):
    with open(name, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]\n")


MAX_INLINE_STORED = 600


def accepted(id, origin, codec, form, payload, versions=(1, 2)):
    """One entry per version."""
    content = expand(form)
    assert payload == content if codec == 0 else len(payload) < len(content), id
    for version in versions:
        whole = frame(version, codec, len(content), payload)
        text = whole.hex() if codec or len(whole) <= MAX_INLINE_STORED else {"header": whole[:18].hex(), "payload": "content"}
        yield {
            "id": f"{id}/v{version}",
            "origin": f"{origin}; {CHECKSUM_ORIGIN[version]}",
            "version": version,
            "codec": codec,
            "content": described(form),
            "frame": text,
        }


# --- compressors ------------------------------------------------------------------------------------------------------------


def lz4_fast(data):
    out = ctypes.create_string_buffer(len(data) + len(data) // 255 + 16)
    size = lz4.LZ4_compress_default(data, out, len(data), len(out))
    assert size > 0
    return out.raw[:size]


def lz4_hc(data, level):
    out = ctypes.create_string_buffer(len(data) + len(data) // 255 + 16)
    size = lz4.LZ4_compress_HC(data, out, len(data), len(out), level)
    assert size > 0
    return out.raw[:size]


ZSTD_PARAMETERS = {"level": 100, "window": 101, "sized": 200, "checked": 201}


def zstd_frame(data, **parameters):
    context = ctypes.c_void_p(zstd.ZSTD_createCCtx())
    for name, value in parameters.items():
        assert not zstd.ZSTD_isError(zstd.ZSTD_CCtx_setParameter(context, ZSTD_PARAMETERS[name], value))
    out = ctypes.create_string_buffer(len(data) + 1024)
    size = zstd.ZSTD_compress2(context, out, ctypes.c_size_t(len(out)), data, ctypes.c_size_t(len(data)))
    zstd.ZSTD_freeCCtx(context)
    assert not zstd.ZSTD_isError(size)
    return out.raw[:size]


def zstd_with_dictionary(data, dictionary):
    context = ctypes.c_void_p(zstd.ZSTD_createCCtx())
    out = ctypes.create_string_buffer(len(data) + 1024)
    size = zstd.ZSTD_compress_usingDict(
        context, out, ctypes.c_size_t(len(out)), data, ctypes.c_size_t(len(data)), dictionary, ctypes.c_size_t(len(dictionary)), 3
    )
    zstd.ZSTD_freeCCtx(context)
    assert not zstd.ZSTD_isError(size)
    return out.raw[:size]


def deflate(data, level=1, strategy=zlib.Z_DEFAULT_STRATEGY, window=-15):
    stream = zlib.compressobj(level, zlib.DEFLATED, window, 9, strategy)
    return stream.compress(data) + stream.flush()


def zopfli(data):
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return subprocess.run(["zopfli", "--deflate", "-c", file.name], capture_output=True, check=True).stdout


def brotli(data, quality=4, window=22):
    command = ["brotli", f"--quality={quality}", f"--lgwin={window}", "--stdout"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


# --- what is compressed -----------------------------------------------------------------------------------------------------

RECORD = b"tenant=demo;type=event;status=active;value=12345;\n"
GOLDEN_V2 = bytes.fromhex("52564300020003000000" + "50392f89945faf78" + "616263")
SESSION = json.dumps(
    {"id": "s-10023", "user": {"name": "Zoë", "roles": ["admin", "editor"]}, "cart": [{"sku": f"A{n}", "quantity": n % 3, "price": 9.5} for n in range(16)]},
    ensure_ascii=False,
).encode()

COMPRESSIBLE = {
    "text-64": repeat(b"A", 64),
    "record-1k": repeat(RECORD, 1024),
    "record-16k": repeat(RECORD, 16384),
    "record-64k-minus-1": repeat(RECORD, 65535),
    "record-64k": repeat(RECORD, 65536),
    "record-64k-plus-1": repeat(RECORD, 65537),
    "json": literal(SESSION),
    "counting-2k": count(0, 2048),
    "emoji": repeat("🙏é😀 ".encode(), 1500),
    "nul-binary": parts(repeat(b"\0", 700), random(7, 40), repeat(b"\0\xff", 700)),
    "frames-as-content": repeat(GOLDEN_V2, 840),
    "begins-with-c1": parts(literal(b"\xc1"), repeat(RECORD, 1023)),
    "half-random": parts(random(11, 512), repeat(b"a", 512)),
    "far-match": parts(random(13, 20), repeat(b"\0", 65515), random(13, 20), literal(b"the last bytes are literals")),
}


def compressed():
    for codec, name, compress, by in (
        (1, "brotli", brotli, f"brotli tool {VERSIONS['brotli']}, quality 4, window 22"),
        (2, "deflate", deflate, f"zlib {VERSIONS['zlib']}, level 1, raw"),
        (3, "lz4", lz4_fast, f"liblz4 {VERSIONS['lz4']}, LZ4_compress_default"),
        (4, "zstd", zstd_frame, f"libzstd {VERSIONS['zstd']}, level 3"),
    ):
        entries = []
        for label, form in COMPRESSIBLE.items():
            entries += accepted(f"{name}/{label}", by, codec, form, compress(expand(form)))
        file_of(f"{name}.json", entries + list(variants(name)))


def variants(name):
    session = COMPRESSIBLE["json"]
    if name == "brotli":
        tool = f"brotli tool {VERSIONS['brotli']}"
        for quality, window in ((0, 22), (1, 16), (5, 18), (9, 24), (11, 10)):
            yield from accepted(f"brotli/quality-{quality}-window-{window}", f"{tool}, quality {quality}, window {window}", 1, session, brotli(expand(session), quality, window), versions=(2,))
    if name == "deflate":
        by = f"zlib {VERSIONS['zlib']}, raw"
        data = expand(session)
        yield from accepted("deflate/level-6", f"{by}, level 6", 2, session, deflate(data, 6), versions=(2,))
        yield from accepted("deflate/level-9", f"{by}, level 9", 2, session, deflate(data, 9), versions=(2,))
        yield from accepted("deflate/fixed-codes", f"{by}, level 9, Z_FIXED", 2, session, deflate(data, 9, zlib.Z_FIXED), versions=(2,))
        yield from accepted("deflate/literals-only", f"{by}, level 9, Z_HUFFMAN_ONLY", 2, session, deflate(data, 9, zlib.Z_HUFFMAN_ONLY), versions=(2,))
        yield from accepted("deflate/window-512", f"{by}, level 9, windowBits 9", 2, session, deflate(data, 9, window=-9), versions=(2,))
        yield from accepted("deflate/zopfli", "zopfli 1.0.3, --deflate", 2, session, zopfli(data), versions=(2,))
        blocks = zlib.compressobj(6, zlib.DEFLATED, -15)
        flushed = blocks.compress(data[:500]) + blocks.flush(zlib.Z_FULL_FLUSH) + blocks.compress(data[500:]) + blocks.flush()
        yield from accepted("deflate/flushed", f"{by}, level 6, Z_FULL_FLUSH after 500 bytes", 2, session, flushed, versions=(2,))
    if name == "lz4":
        by = f"liblz4 {VERSIONS['lz4']}"
        for level in (3, 9, 12):
            yield from accepted(f"lz4/hc-{level}", f"{by}, LZ4_compress_HC, level {level}", 3, session, lz4_hc(expand(session), level), versions=(2,))
        yield from accepted("lz4/hc-far-match", f"{by}, LZ4_compress_HC, level 12", 3, COMPRESSIBLE["far-match"], lz4_hc(expand(COMPRESSIBLE["far-match"]), 12), versions=(2,))
        zeros = repeat(b"\0", 70000)
        yield from accepted("lz4/long-match", f"{by}, LZ4_compress_default", 3, zeros, lz4_fast(expand(zeros)), versions=(2,))
        by_hand = parts(repeat(b"ab", 60), literal(b"12345"))
        yield from accepted("lz4/overlap-2", "derivation from the LZ4 block format: a match that overlaps itself at offset 2", 3, by_hand, bytes.fromhex("2f6162020027") + b"\x50" + b"12345", versions=(2,))
    if name == "zstd":
        by = f"libzstd {VERSIONS['zstd']}"
        data = expand(session)
        for level in (-100, -5, 1, 9, 19, 22):
            yield from accepted(f"zstd/level-{level}", f"{by}, level {level}", 4, session, zstd_frame(data, level=level), versions=(2,))
        yield from accepted("zstd/with-content-checksum", f"{by}, level 3, checksumFlag 1", 4, session, zstd_frame(data, checked=1), versions=(2,))
        yield from accepted("zstd/without-content-size", f"{by}, level 3, contentSizeFlag 0", 4, session, zstd_frame(data, sized=0), versions=(2,))
        yield from accepted("zstd/small-window", f"{by}, level 3, windowLog 10", 4, COMPRESSIBLE["record-16k"], zstd_frame(expand(COMPRESSIBLE["record-16k"]), window=10), versions=(2,))
        blocks = parts(repeat(RECORD, 140000), count(5, 1000), repeat(b"\0", 140000))
        yield from accepted("zstd/many-blocks", f"{by}, level 3", 4, blocks, zstd_frame(expand(blocks)), versions=(2,))
        raw_block = bytes.fromhex("28b52ffd2040") + bytes.fromhex("080000") + b"x" + bytes.fromhex("fb010041")
        raw_then_rle = parts(literal(b"x"), repeat(b"A", 63))
        yield from accepted("zstd/raw-block-then-rle-block", "derivation from RFC 8878", 4, raw_then_rle, raw_block, versions=(2,))
        yield from accepted("zstd/window-128-mib", "derivation from RFC 8878: the largest window that is accepted", 4, repeat(b"A", 64), bytes.fromhex("28b52ffd008803020041"), versions=(2,))
        yield from accepted("zstd/dictionary-id-0", "derivation from RFC 8878: a dictionary id of 0 names none", 4, repeat(b"A", 64), bytes.fromhex("28b52ffd21004003020041"), versions=(2,))


def stored():
    entries = []
    contents = {
        "empty": literal(b""),
        "one-byte": literal(b"x"),
        "nul": literal(b"\0"),
        "abc": literal(b"abc"),
        "json-text": literal(b'{"a":1}'),
        "emoji": literal("🙏é😀".encode()),
        "invalid-utf8": literal(bytes.fromhex("ff00c32880")),
        "begins-with-c1": literal(bytes.fromhex("c1616263")),
        "frame-as-content": literal(GOLDEN_V2),
        "magic-as-content": literal(b"RVC\0"),
        "gzip-as-content": literal(bytes.fromhex("1f8b0800000000000003030000000000" + "00000000")),
        "zstd-as-content": literal(bytes.fromhex("28b52ffd2000010000")),
        "record-below-threshold": repeat(RECORD, 1023),
        "random-1k": random(1, 1024),
        "random-64k-minus-1": random(2, 65535),
        "random-64k": random(2, 65536),
        "random-64k-plus-1": random(2, 65537),
    }
    for size in (2, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 96, 97, 128, 129, 144, 240, 241, 256, 512, 960, 1025, 2048):
        contents[f"random-{size}"] = random(size, size)
    for label, form in contents.items():
        entries += accepted(f"stored/{label}", "the content itself", 0, form, expand(form))
    file_of("stored.json", entries)


# --- frames to refuse -------------------------------------------------------------------------------------------------------


def refused():
    entries = []

    def refuse(id, code, data, why, **options):
        entry = {"id": f"refused/{id}", "origin": why, "code": code, "frame": data.hex()}
        entries.append({**entry, "options": options} if options else entry)

    def both(id, code, codec, size, payload, why, **options):
        for version in (1, 2):
            refuse(f"{id}/v{version}", code, frame(version, codec, size, payload), f"derivation: {why}; checksum right", **options)

    record = expand(COMPRESSIBLE["record-1k"])
    payloads = {1: brotli(record), 2: deflate(record), 3: lz4_fast(record), 4: zstd_frame(record)}
    names = {1: "brotli", 2: "deflate", 3: "lz4", 4: "zstd"}

    # 1: magic and length
    good = GOLDEN_V2
    for label, data in (("empty", b""), ("one-byte", b"R"), ("three-bytes", b"RVC"), ("json", b'{"a":1}'), ("digits", b"123"), ("c1", b"\xc1"), ("zstd", payloads[4])):
        refuse(f"magic/{label}", "CODEC_FRAME_INVALID", data, "derivation: no frame magic")
    for at in range(4):
        bad = bytearray(good)
        bad[at] ^= 0x20
        refuse(f"magic/byte-{at}", "CODEC_FRAME_INVALID", bytes(bad), f"derivation: golden frame, byte {at} changed")
    for size in (4, 5, 10, 17):
        refuse(f"truncated/{size}", "CODEC_FRAME_TRUNCATED", good[:size], f"derivation: first {size} bytes of a golden frame")

    # 2: version
    for version in (0, 3, 255):
        refuse(f"version/{version}", "CODEC_FRAME_VERSION", good[:4] + bytes([version]) + good[5:], "derivation: golden frame, version changed")
    refuse("version/before-id", "CODEC_FRAME_VERSION", good[:4] + b"\x03\x05" + good[6:], "derivation: version is checked before codec id")

    # 3: codec id
    for codec in (5, 15, 16, 255):
        both(f"id/{codec}", "CODEC_UNKNOWN_ID", codec, 1024, payloads[3], "a codec id that the reader does not accept")
    both("id/not-accepted", "CODEC_UNKNOWN_ID", 1, 1024, payloads[1], "a reader that accepts LZ4 alone", accept=["lz4"])
    refuse("id/before-size", "CODEC_UNKNOWN_ID", frame(2, 5, 0xFFFFFFFF, b"abc"), "derivation: codec id is checked before content size")

    # 4: limit
    both("limit/4-gib", "CODEC_SIZE_LIMIT", 3, 0xFFFFFFFF, payloads[3], "claims 4 GiB less one byte")
    both("limit/2-gib", "CODEC_SIZE_LIMIT", 4, 0x80000000, payloads[4], "claims 2 GiB: the size is unsigned")
    both("limit/8-mib-plus-1", "CODEC_SIZE_LIMIT", 1, 8 * 1024 * 1024 + 1, payloads[1], "claims one byte over the default limit")
    both("limit/1023", "CODEC_SIZE_LIMIT", 2, 1024, payloads[2], "a reader with a limit of 1023 bytes", maxContentBytes=1023)
    both("limit/stored", "CODEC_SIZE_LIMIT", 0, 3, b"abc", "a reader with a limit of 2 bytes", maxContentBytes=2)
    refuse("limit/before-checksum", "CODEC_SIZE_LIMIT", frame(2, 3, 0xFFFFFFFF, b"abc")[:-1] + b"d", "derivation: limit is checked before checksum")

    # 5: sizes
    both("size/stored-short", "CODEC_SIZE_MISMATCH", 0, 4, b"abc", "stored payload shorter than content size")
    both("size/stored-long", "CODEC_SIZE_MISMATCH", 0, 2, b"abc", "stored payload longer than content size")
    both("size/stored-zero", "CODEC_SIZE_MISMATCH", 0, 0, b"abc", "stored payload of content size 0")
    refuse("size/stored-truncated", "CODEC_SIZE_MISMATCH", good[:-1], "derivation: golden frame less its last byte")
    refuse("size/stored-extended", "CODEC_SIZE_MISMATCH", good + b"d", "derivation: golden frame and one byte more")
    for codec, name in names.items():
        both(f"size/{name}-equal", "CODEC_SIZE_MISMATCH", codec, len(payloads[codec]), payloads[codec], "compressed payload as long as its content")
        both(f"size/{name}-zero", "CODEC_SIZE_MISMATCH", codec, 0, b"", "compressed payload of content size 0")
    refuse("size/before-checksum", "CODEC_SIZE_MISMATCH", good[:10] + bytes(8) + b"ab", "derivation: sizes are checked before checksum")

    # 6: checksum
    for codec, name in ((0, "stored"), *names.items()):
        payload = b"abc" if codec == 0 else payloads[codec]
        size = 3 if codec == 0 else 1024
        for version in (1, 2):
            whole = frame(version, codec, size, payload)
            refuse(f"checksum/{name}-first-byte/v{version}", "CODEC_CHECKSUM_MISMATCH", whole[:10] + bytes([whole[10] ^ 1]) + whole[11:], "derivation: first bit of the checksum flipped")
            refuse(f"checksum/{name}-payload/v{version}", "CODEC_CHECKSUM_MISMATCH", whole[:-1] + bytes([whole[-1] ^ 0x80]), "derivation: last byte of the payload changed")
            refuse(f"checksum/{name}-other-version/v{version}", "CODEC_CHECKSUM_MISMATCH", whole[:4] + bytes([3 - version]) + whole[5:], "derivation: version byte changed to the other version")
        if codec:
            refuse(f"checksum/{name}-truncated", "CODEC_CHECKSUM_MISMATCH", frame(2, codec, size, payload)[:-1], "derivation: last byte cut off")
            refuse(f"checksum/{name}-extended", "CODEC_CHECKSUM_MISMATCH", frame(2, codec, size, payload) + b"\0", "derivation: one byte more")
    big_endian = struct.pack(">Q", xxhash.XXH3_64bits(b"abc", 3))
    refuse("checksum/big-endian", "CODEC_CHECKSUM_MISMATCH", good[:10] + big_endian + good[18:], "derivation: XXH3-64 in the wrong byte order")
    refuse("checksum/of-whole-content", "CODEC_CHECKSUM_MISMATCH", frame(1, 2, 1024, payloads[2])[:10] + checksum(1, record) + payloads[2], "derivation: checksum of the content instead of the payload")

    # 7: payload, with a right checksum
    corrupt = "CODEC_PAYLOAD_CORRUPT"
    for codec, name in names.items():
        payload = payloads[codec]
        both(f"payload/{name}-empty", corrupt, codec, 1024, b"", "no payload at all")
        both(f"payload/{name}-cut", corrupt, codec, 1024, payload[:-1], "payload less its last byte")
        both(f"payload/{name}-half", corrupt, codec, 1024, payload[: len(payload) // 2], "first half of the payload")
        both(f"payload/{name}-junk", corrupt, codec, 1024, payload + b"junk", "four bytes after the payload")
        both(f"payload/{name}-nul", corrupt, codec, 1024, payload + b"\0", "one NUL after the payload")
        both(f"payload/{name}-twice", corrupt, codec, 1024, payload + payload, "the payload twice")
        both(f"payload/{name}-twice-double", corrupt, codec, 2048, payload + payload, "the payload twice, and twice the content size")
        both(f"payload/{name}-claims-more", corrupt, codec, 1025, payload, "content size one too large")
        both(f"payload/{name}-claims-less", corrupt, codec, 1023, payload, "content size one too small")
        both(f"payload/{name}-garbage", corrupt, codec, 1024, b"\xff" * 40, "forty bytes ff")
    wrapped = zlib.compressobj(1, zlib.DEFLATED, 15)
    both("payload/deflate-zlib-wrapped", corrupt, 2, 1024, wrapped.compress(record) + wrapped.flush(), "a zlib stream instead of a raw one")
    wrapped = zlib.compressobj(1, zlib.DEFLATED, 31)
    both("payload/deflate-gzip-wrapped", corrupt, 2, 1024, wrapped.compress(record) + wrapped.flush(), "a gzip stream instead of a raw one")
    both("payload/lz4-size-prefixed", corrupt, 3, 1024, struct.pack("<I", 1024) + payloads[3], "a block with its size before it")
    both("payload/lz4-offset-0", corrupt, 3, 32, bytes.fromhex("1f41000007504141414141"), "a match at offset 0")
    both("payload/lz4-offset-before-start", corrupt, 3, 32, bytes.fromhex("1f41020007504141414141"), "a match that begins before the content")
    both("payload/lz4-endless-length", corrupt, 3, 4096, b"\x1f\x41\x01\x00" + b"\xff" * 12, "a match length that never ends")
    both("payload/zstd-empty-frame-after", corrupt, 4, 64, bytes.fromhex("28b52ffd204003020041" + "28b52ffd2000010000"), "an empty frame after the frame")
    both("payload/zstd-skippable-after", corrupt, 4, 64, bytes.fromhex("28b52ffd204003020041" + "502a4d1800000000"), "an empty skippable frame after the frame")
    both("payload/zstd-skippable-before", corrupt, 4, 64, bytes.fromhex("502a4d1800000000" + "28b52ffd204003020041"), "an empty skippable frame before the frame")
    both("payload/zstd-skippable-alone", corrupt, 4, 64, bytes.fromhex("502a4d1804000000" + "00000000"), "a skippable frame alone")
    both("payload/zstd-reserved-bit", corrupt, 4, 64, bytes.fromhex("28b52ffd284003020041"), "the reserved bit of the descriptor set")
    both("payload/zstd-reserved-block", corrupt, 4, 64, bytes.fromhex("28b52ffd204007020041"), "a block of the reserved type")
    both("payload/zstd-legacy", corrupt, 4, 64, bytes.fromhex("27b52ffd204003020041"), "the magic of an old format of zstd")
    both("payload/zstd-own-size-differs", corrupt, 4, 64, bytes.fromhex("28b52ffd204103020041"), "the frame's own content size is 65")
    both("payload/zstd-huge-own-size", corrupt, 4, 64, bytes.fromhex("28b52ffde0" + "ffffffffffffff7f" + "03020041"), "the frame's own content size is 2⁶³ − 1")
    both("payload/zstd-huge-window", corrupt, 4, 64, bytes.fromhex("28b52ffd00f8") + bytes.fromhex("03020041"), "a window of 2⁴¹ bytes")
    both("payload/zstd-window-144-mib", corrupt, 4, 64, bytes.fromhex("28b52ffd008903020041"), "a window of 2²⁷ + 2²⁴ bytes")
    both("payload/zstd-unsized-cut", corrupt, 4, 1024, zstd_frame(record, sized=0)[:-3], "a frame without content size, cut short")
    checked = bytearray(zstd_frame(record, checked=1))
    checked[-1] ^= 1
    both("payload/zstd-wrong-content-checksum", corrupt, 4, 1024, bytes(checked), "zstd's own content checksum is wrong")
    both("payload/zstd-dictionary-1-byte", "CODEC_DICTIONARY_MISSING", 4, 64, bytes.fromhex("28b52ffd212a4003020041"), "a dictionary id of one byte, 42")
    both("payload/zstd-dictionary-2-bytes", "CODEC_DICTIONARY_MISSING", 4, 64, bytes.fromhex("28b52ffd2239304003020041"), "a dictionary id of two bytes, 12345")
    both("payload/zstd-dictionary-4-bytes", "CODEC_DICTIONARY_MISSING", 4, 64, bytes.fromhex("28b52ffd23d20296494003020041"), "a dictionary id of four bytes, 1234567890")
    file_of("refused.json", entries)


# --- Respire ----------------------------------------------------------------------------------------------------------------


def respire():
    golden = "Respire's published golden vector"
    suite = "payload published in Respire's tests; header by the published rules"
    entries = [
        {"id": "respire/abc/v1", "origin": golden, "version": 1, "codec": 0, "content": literal(b"abc"), "frame": "52564300010003000000ba7816bf8f01cfea616263"},
        {"id": "respire/abc/v2", "origin": golden, "version": 2, "codec": 0, "content": literal(b"abc"), "frame": "5256430002000300000050392f89945faf78616263"},
        {"id": "respire/empty/v1", "origin": "derivation from Respire's rules", "version": 1, "codec": 0, "content": literal(b""), "frame": "52564300010000000000e3b0c44298fc1c14"},
        {"id": "respire/empty/v2", "origin": "derivation from Respire's rules", "version": 2, "codec": 0, "content": literal(b""), "frame": "52564300020000000000c294d3380580062d"},
    ]
    entries += accepted("respire/lz4-block", suite, 3, repeat(b"A", 32), bytes.fromhex("1f41010007504141414141"))
    entries += accepted("respire/zstd-rle", suite, 4, repeat(b"A", 64), bytes.fromhex("28b52ffd204003020041"))
    # The digests of Respire's benchmark inputs are published, and the checksum of a stored frame of version 1 is their beginning.
    digests = "checksum from the input's digest that Respire's benchmark publishes"
    published = {
        "text-64": (repeat(RECORD, 64), "c2b21e7c8af3dbcebf19bf2d8c13a1c61674aeff937ade6db6f4ca3fee5bcdf1"),
        "random-64": ({"dotnet": 527, "bytes": 64}, "d1ed20d11680548111d23e41c701e2fb2235d8c47f58101eed80f9664617e896"),
        "random-16384": ({"dotnet": 527, "bytes": 16384}, "14f7549860498b8973a3f2716a290d5cb806f95b1d1cf8b286be76a0e06237c6"),
    }
    for label, (form, digest) in published.items():
        header = b"RVC\0\1\0" + struct.pack("<I", form["bytes"]) + bytes.fromhex(digest)[:8]
        entries.append({"id": f"respire/{label}/v1", "origin": digests, "version": 1, "codec": 0, "content": {**form, "sha256": digest}, "frame": {"header": header.hex(), "payload": "content"}})
    file_of("respire.json", entries)


stored()
compressed()
refused()
respire()
