import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Attachment, attachmentOf, setAttachment } from "../../src/seam/attachment.ts";
import { StubClient, type StubOptions } from "../support/client.ts";
import { createShared } from "../support/keys.ts";

function attach(options: StubOptions, cluster?: StubOptions): Attachment {
  const clusterClient = cluster === undefined ? undefined : new StubClient(cluster);
  return new Attachment(new StubClient(options) as never, createShared({}), clusterClient as never, new Map());
}

suite("Attachment", () => {
  test("takes the keyPrefix of its client", () => {
    const attachment = attach({ keyPrefix: "app:" });
    assert.equal(attachment.keyPrefix, "app:");
    assert.equal(attachment.prefixed, false);
  });

  test("takes the keyPrefix of the cluster whose node its client is", () => {
    const attachment = attach({}, { keyPrefix: "app:" });
    assert.equal(attachment.keyPrefix, "app:");
    assert.equal(attachment.prefixed, true);
  });

  test("follows the client's options", () => {
    const attachment = attach({});
    Object.assign(attachment.client.options, { keyPrefix: "later:" });
    assert.equal(attachment.keyPrefix, "later:");
  });
});

suite("Attachment.isKnownUnruled()", () => {
  function note(options: StubOptions = {}): Attachment {
    const attachment = attach(options);
    attachment.noteUnruled("set", "b:1");
    return attachment;
  }

  test("knows the noted call, and no other", () => {
    const attachment = note();
    assert.equal(attachment.isKnownUnruled("set", "b:1"), true);
    for (const [name, key] of [
      ["get", "b:1"],
      ["SET", "b:1"],
      ["set", "b:2"],
      ["set", Buffer.from("b:1")],
      ["set", undefined],
    ] as const) {
      assert.equal(attachment.isKnownUnruled(name, key), false);
    }
  });

  test("knows nothing before a call is noted", () => {
    assert.equal(attach({}).isKnownUnruled("", ""), false);
  });

  test("forgets with the rules", () => {
    const attachment = note();
    Object.assign(attachment.shared, { rules: createShared({}).rules });
    assert.equal(attachment.isKnownUnruled("set", "b:1"), false);
  });

  test("knows nothing where a keyPrefix makes another key of it", () => {
    assert.equal(note({ keyPrefix: "b:" }).isKnownUnruled("set", "b:1"), false);
    const later = note();
    Object.assign(later.client.options, { keyPrefix: "b:" });
    assert.equal(later.isKnownUnruled("set", "b:1"), false);
  });

  test("knows nothing of a node's call that had no rule only because it lacked the cluster's keyPrefix", () => {
    const attachment = attach({}, { keyPrefix: "app:" });
    attachment.noteUnruled("set", "b:1");
    Object.assign((attachment.cluster as StubClient | undefined)?.options ?? {}, { keyPrefix: "" });
    assert.equal(attachment.isKnownUnruled("set", "b:1"), false);
  });
});

suite("attachmentOf()", () => {
  test("finds nothing on a client that is not wrapped", () => {
    assert.equal(attachmentOf(new StubClient()), undefined);
    assert.equal(attachmentOf({}), undefined);
  });

  test("finds what was set, where nobody else looks", () => {
    const attachment = attach({});
    const target = {};
    setAttachment(target, attachment);
    assert.equal(attachmentOf(target), attachment);
    assert.deepEqual(Object.keys(target), []);
    assert.deepEqual({ ...target }, {});
  });

  test("finds what another copy of the package has set", () => {
    const attachment = attach({});
    assert.equal(attachmentOf({ [Symbol.for("tightwire.attachment")]: attachment }), attachment);
  });
});
