import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createBindingBackend } from "../src/compressors/zstd-napi.ts";
import { findZstdBinding, type ZstdBinding } from "../src/platform.ts";
import { assertCode, codeOf, noise, records } from "./support/frames.ts";

interface Fake {
  readonly binding: ZstdBinding;
  /** The levels that were set, in order. */
  readonly levels: number[];
  /** How many contexts compress. */
  contexts: number;
  readonly log: string[];
  /** Thrown by the next call, and then no more. */
  failure: Error | undefined;
}

/** A binding that copies: it counts contexts and fails when told to. */
function createFake(): Fake {
  const fake: Fake = { binding: undefined as never, levels: [], contexts: 0, log: [], failure: undefined };
  const failIfTold = (): void => {
    const { failure } = fake;
    fake.failure = undefined;
    if (failure !== undefined) throw failure;
  };
  const copy = (target: Uint8Array, source: Uint8Array): number => {
    failIfTold();
    if (source.length > target.length) throw new Error("Destination buffer is too small");
    target.set(source);
    return source.length;
  };
  class CCtx {
    constructor() {
      fake.contexts++;
    }
    setParameter = (_parameter: number, level: number): void => void fake.levels.push(level);
    compress2 = copy;
  }
  class DCtx {
    constructor() {
      fake.log.push("create");
    }
    decompress = copy;
    reset = (directive: number): void => void fake.log.push(`reset ${directive}`);
  }
  const constants = { CParameter: { compressionLevel: 100 }, ResetDirective: { sessionAndParameters: 3 } };
  return Object.assign(fake, { binding: { CCtx, DCtx, ...constants } });
}

suite("contexts for content up to 64 KiB", () => {
  test("are created once per level", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    for (const level of [3, 3, 9, 3, 9]) assert.equal(backend.compressInto(noise(65_536), Buffer.alloc(65_536), level), 65_536);
    assert.deepEqual(fake.levels, [3, 9]);
  });

  test("are four at most: the oldest goes", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    for (const level of [1, 2, 3, 4, 5, 2, 5, 1]) backend.compressInto(noise(10), Buffer.alloc(10), level);
    assert.deepEqual(fake.levels, [1, 2, 3, 4, 5, 1]);
  });

  test("stay when a payload does not fit", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    for (let round = 0; round < 3; round++) assert.equal(backend.compressInto(noise(1000), Buffer.alloc(999), 3), -1);
    assert.deepEqual(fake.levels, [3]);
  });

  test("are dropped when they fail", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    fake.failure = new Error("Error (generic)");
    assertCode(() => backend.compressInto(noise(10), Buffer.alloc(10), 3), "CODEC_PAYLOAD_CORRUPT", {
      codecId: 4,
      contentSize: 10,
    });
    fake.failure = new Error("Allocation error : not enough memory");
    assertCode(() => backend.compressInto(noise(10), Buffer.alloc(10), 3), "CODEC_SIZE_LIMIT", { contentSize: 10 });
    assert.equal(backend.compressInto(noise(10), Buffer.alloc(10), 3), 10);
    assert.deepEqual(fake.levels, [3, 3, 3]);
  });
});

suite("the context for larger content", () => {
  test("is reused, also when a payload does not fit", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    assert.equal(backend.compressInto(noise(65_537), Buffer.alloc(65_537), 3), 65_537);
    assert.equal(backend.compressInto(noise(65_537), Buffer.alloc(65_536), 3), -1);
    assert.equal(backend.compressInto(noise(65_537), Buffer.alloc(65_537), 3), 65_537);
    assert.deepEqual(fake.levels, [3]);
  });

  test("is one for all levels", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    for (const level of [3, 9, 9, 3]) backend.compressInto(noise(65_537), Buffer.alloc(65_537), level);
    assert.deepEqual(fake.levels, [3, 9, 3]);
    assert.equal(fake.contexts, 1);
  });

  test("is dropped when it fails", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    for (const failure of [new Error("Error (generic)"), undefined]) {
      fake.failure = failure;
      const code = failure && "CODEC_PAYLOAD_CORRUPT";
      assert.equal(
        codeOf(() => backend.compressInto(noise(65_537), Buffer.alloc(65_537), 3)),
        code,
      );
    }
    assert.deepEqual(fake.levels, [3, 3]);
  });

  test("keeps no memory that the collector could not take", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    backend.compressInto(noise(65_537), Buffer.alloc(65_537), 3);
    backend.compressInto(noise(10), Buffer.alloc(10), 3);
    assert.deepEqual(fake.levels, [3, 3]);
  });
});

suite("the context that decompresses", () => {
  test("is created once, and reset after a failure alone", () => {
    const fake = createFake();
    const backend = createBindingBackend(fake.binding);
    backend.decompress(noise(10), 10);
    backend.decompressInto(noise(10), Buffer.alloc(10));
    assert.deepEqual(fake.log, ["create"]);
    assertCode(() => backend.decompress(noise(11), 10), "CODEC_PAYLOAD_CORRUPT", {
      codecId: 4,
      contentSize: 10,
      payloadSize: 11,
    });
    backend.decompress(noise(10), 10);
    assert.deepEqual(fake.log, ["create", "reset 3"]);
  });

  test("refuses a result that is too short", () => {
    const backend = createBindingBackend(createFake().binding);
    assertCode(() => backend.decompress(noise(9), 10), "CODEC_PAYLOAD_CORRUPT", { contentSize: 10, payloadSize: 9 });
    assertCode(() => backend.decompressInto(noise(9), Buffer.alloc(10)), "CODEC_PAYLOAD_CORRUPT");
  });

  test("says if there was no memory for a context", () => {
    const fake = createFake();
    const failing = { ...fake.binding, DCtx: failingContext() } as ZstdBinding;
    assertCode(() => createBindingBackend(failing).decompress(noise(9), 10), "CODEC_SIZE_LIMIT", { contentSize: 10 });
  });
});

function failingContext(): new () => never {
  return class {
    constructor() {
      throw new RangeError("not enough memory");
    }
  } as never;
}

suite("the real binding", () => {
  const binding = findZstdBinding();
  const skip = binding === undefined && "zstd-napi is not installed";

  test("says that a payload does not fit in the words that we know", { skip }, () => {
    const backend = createBindingBackend(binding as ZstdBinding);
    for (const size of [1000, 65_536, 65_537, 1_000_000])
      assert.equal(backend.compressInto(noise(size), Buffer.alloc(size - 1), 3), -1);
    const target = Buffer.alloc(99_999);
    const size = backend.compressInto(records(100_000), target, 3);
    assert.ok(backend.decompress(target.subarray(0, size), 100_000).equals(records(100_000)));
  });
});
