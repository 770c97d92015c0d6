import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  describeRevision,
  findDifferences,
  readMachine,
  readPackageVersion,
  readRevision,
  readVersions,
} from "../src/machine.ts";

const RUN = { revision: { commit: "c0ffeec0ffee", dirty: false }, machine: readMachine(), versions: readVersions() };

suite("readVersions()", () => {
  test("names Node, its compressors and the packages that are measured", () => {
    const versions = readVersions();
    assert.equal(versions["node"], process.versions.node);
    for (const name of ["v8", "zlib", "brotli", "@node-rs/xxhash", "lz4-napi", "ioredis"]) {
      assert.match(versions[name] ?? "", /^\d+\.\d+/);
    }
  });

  test("leaves out what is not installed", () => {
    assert.equal(readPackageVersion("no-such-package-of-anyone"), undefined);
  });
});

suite("readRevision()", () => {
  test("tells changed sources apart by a digest, and says unknown without git", () => {
    const { commit, dirty, changes } = readRevision();
    assert.match(commit, /^[0-9a-f]{40}$|^unknown$/);
    assert.equal(changes !== undefined, dirty && commit !== "unknown");
    assert.equal(describeRevision({ commit: "c0ffeec0ffee", dirty: true }), "c0ffeec0ff with changes");
  });
});

suite("findDifferences()", () => {
  const file = { ...RUN } as unknown as Parameters<typeof findDifferences>[0];

  test("finds none between equal runs, nor in versions that only one of them measured", () => {
    assert.deepEqual(findDifferences(file, { ...RUN, versions: { ...RUN.versions, redis: "7.0.15" } }), []);
    assert.deepEqual(findDifferences({ ...file, versions: { ...RUN.versions, redis: "7.0.15" } }, RUN), []);
  });

  test("names what differs", () => {
    const machine = { ...RUN.machine, cores: 96 };
    const differences = findDifferences(file, { ...RUN, machine, versions: { ...RUN.versions, node: "99.0.0" } });
    assert.deepEqual(differences, [`cores ${RUN.machine.cores} → 96`, `node ${process.versions.node} → 99.0.0`]);
    assert.equal(findDifferences(file, { ...RUN, revision: { commit: "beef", dirty: false } }).length, 1);
  });
});
