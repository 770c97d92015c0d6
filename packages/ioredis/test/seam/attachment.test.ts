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
