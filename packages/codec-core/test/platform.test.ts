import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as zlib from "node:zlib";
import { findZstdBinding, loadLz4, loadXxhash, nodeZstd } from "../src/platform.ts";
import { frameOf } from "./support/frames.ts";
import { runWithout } from "./support/run-child.ts";

// In the child: `report` prints, `attempt` gives what a call returns, or code and package of its error.
const PRELUDE = `
  import * as core from "./src/index.ts";
  const report = (value) => console.log(JSON.stringify(value));
  const attempt = (run) => {
    try {
      return run();
    } catch (error) {
      return { code: error.code, packageName: error.packageName, cause: error.cause?.code };
    }
  };
  const content = Buffer.alloc(5000, "tenant=demo;type=event;");
  const roundTrip = (compressor) => {
    const codec = core.createValueCodec({ compressor });
    const frame = codec.encode(content);
    return [frame[5], codec.decode(frame).equals(content)];
  };
`;

/** 32 × "A" as LZ4: the published block. */
const LZ4_FRAME = frameOf({
  codecId: 3,
  payload: Buffer.from("1f410100075041414141 41".replace(" ", ""), "hex"),
  contentSize: 32,
});

const ZSTD_MISSING = { code: "CODEC_UNAVAILABLE", packageName: "zstd-napi", cause: "MODULE_NOT_FOUND" };

suite("loading packages", () => {
  test("gives what is used of each", () => {
    assert.equal(typeof loadXxhash().xxh3.xxh64, "function");
    assert.equal(typeof loadLz4().compressSync, "function");
    assert.equal(typeof findZstdBinding()?.CCtx, "function");
  });

  test("gives the same object every time", () => {
    assert.equal(loadLz4(), loadLz4());
    assert.equal(findZstdBinding(), findZstdBinding());
  });

  test("finds Node's own zstd exactly where Node has it", () => {
    assert.equal(nodeZstd !== undefined, "zstdCompressSync" in zlib);
  });
});

suite("without zstd-napi and without zstd in Node", () => {
  const hidden = ["zstd-napi", "node:zlib"];

  test("a codec that writes with zstd() fails at construction, naming the package", () => {
    const outcome = runWithout(
      hidden,
      `${PRELUDE}
      const compressor = core.zstd();
      report([attempt(() => core.createValueCodec({ compressor })), attempt(() => core.createValueCodec())]);
    `,
    );
    assert.deepEqual(outcome, [ZSTD_MISSING, ZSTD_MISSING]);
  });

  test("the other compressors work", () => {
    const outcome = runWithout(
      hidden,
      `${PRELUDE}
      report([core.brotli(), core.deflate(), core.lz4()].map(roundTrip));
    `,
    );
    assert.deepEqual(outcome, [
      [1, true],
      [2, true],
      [3, true],
    ]);
  });

  test("a zstd frame fails at check 3, every time, and other frames are still read", () => {
    const outcome = runWithout(
      hidden,
      `${PRELUDE}
      const codec = core.createValueCodec({ compressor: core.lz4() });
      const frame = Buffer.concat([Buffer.from("525643000204", "hex"), Buffer.alloc(30)]);
      report([attempt(() => codec.decode(frame)), attempt(() => codec.decode(frame)), codec.decode(codec.encode(content)).equals(content)]);
    `,
    );
    assert.deepEqual(outcome, [ZSTD_MISSING, ZSTD_MISSING, true]);
  });
});

suite("without zstd-napi", () => {
  test("zstd() uses Node's own", { skip: nodeZstd === undefined && "this Node has no zstd in node:zlib" }, () => {
    assert.deepEqual(runWithout(["zstd-napi"], `${PRELUDE} report(roundTrip(core.zstd()));`), [4, true]);
  });
});

suite("without lz4-napi", () => {
  test("a codec that writes with lz4() fails at construction, and the others work", () => {
    const outcome = runWithout(
      ["lz4-napi"],
      `${PRELUDE}
      report([attempt(() => core.createValueCodec({ compressor: core.lz4() })), roundTrip(core.zstd())]);
    `,
    );
    assert.deepEqual(outcome, [{ code: "CODEC_UNAVAILABLE", packageName: "lz4-napi", cause: "MODULE_NOT_FOUND" }, [4, true]]);
  });
});

suite("without @node-rs/xxhash", () => {
  const missing = { code: "CODEC_UNAVAILABLE", packageName: "@node-rs/xxhash", cause: "MODULE_NOT_FOUND" };

  test("a codec that writes version 2 fails at construction, and one that writes version 1 fails at frames of version 2", () => {
    const outcome = runWithout(
      ["@node-rs/xxhash"],
      `${PRELUDE}
      const codec = core.createValueCodec({ frameVersion: 1 });
      const frame = codec.encode(content);
      const other = Buffer.from(frame);
      other[4] = 2;
      report([attempt(() => core.createValueCodec()), codec.decode(frame).equals(content), attempt(() => codec.decode(other))]);
    `,
    );
    assert.deepEqual(outcome, [missing, true, missing]);
  });

  test("with the kernel, frames of version 2 that it has memory for are read all the same", () => {
    const outcome = runWithout(
      ["@node-rs/xxhash", "lz4-napi"],
      `${PRELUDE}
      const codec = core.createValueCodec({ compressor: core.deflate(), frameVersion: 1 });
      const stored = Buffer.from("5256430002000300000050392f89945faf78616263", "hex");
      const lz4 = Buffer.from("${LZ4_FRAME.toString("hex")}", "hex");
      report([codec.decode(stored).toString(), codec.decode(lz4).toString()]);
    `,
      [],
      "on",
    );
    assert.deepEqual(outcome, ["abc", "A".repeat(32)]);
  });

  test("isDamagedFrame() does not throw", () => {
    const outcome = runWithout(
      ["@node-rs/xxhash"],
      `${PRELUDE}
      const frame = Buffer.from("0056430002000300000050392f89945faf78616263", "hex");
      report([core.isDamagedFrame(frame), core.isReservedContent(frame)]);
    `,
    );
    assert.deepEqual(outcome, [false, false]);
  });
});

suite("case 96 (Brooooooklyn/keyring-node#93): native parts that this system cannot load", () => {
  test("each is named where it is needed, with the loader's own error, and what needs none works", () => {
    const outcome = runWithout(
      ["node:zlib"],
      `${PRELUDE}
      const codec = core.createValueCodec({ compressor: core.deflate(), frameVersion: 1 });
      report([
        attempt(() => core.createValueCodec({ frameVersion: 1 })),
        attempt(() => core.createValueCodec({ compressor: core.lz4(), frameVersion: 1 })),
        attempt(() => core.createValueCodec({ compressor: core.deflate() })),
        codec.decode(codec.encode(content)).equals(content),
      ]);
    `,
      ["zstd-napi", "lz4-napi", "@node-rs/xxhash"],
    );
    const failed = (packageName: string) => ({ code: "CODEC_UNAVAILABLE", packageName, cause: "ERR_DLOPEN_FAILED" });
    assert.deepEqual(outcome, [failed("zstd-napi"), failed("lz4-napi"), failed("@node-rs/xxhash"), true]);
  });
});

suite("importing the package", () => {
  test("loads no native package", () => {
    const outcome = runWithout(
      ["zstd-napi", "lz4-napi", "@node-rs/xxhash"],
      `${PRELUDE}
      report([core.zstd(), core.lz4(), core.brotli()].map(({ name }) => name));
    `,
    );
    assert.deepEqual(outcome, ["zstd", "lz4", "brotli"]);
  });
});
