import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { compareMedians, createMetric, createRandom, median, medianInterval, quantile, thinSamples } from "../src/statistics.ts";

function sample(count: number, seed: number, scale = 1): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => scale * (1 + random()));
}

suite("median()", () => {
  test("is the middle sample, or between the two middle ones, in any order", () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([7]), 7);
  });

  test("leaves its input as it is", () => {
    const values = [3, 1, 2];
    median(values);
    assert.deepEqual(values, [3, 1, 2]);
  });
});

suite("quantile()", () => {
  test("interpolates between two samples", () => {
    assert.equal(quantile([0, 10], 0.25), 2.5);
    assert.equal(quantile([1, 2, 3], 0), 1);
    assert.equal(quantile([1, 2, 3], 1), 3);
  });
});

suite("medianInterval()", () => {
  test("holds the median of what is sampled in about 95 of 100 runs", () => {
    const [runs, trueMedian] = [2_000, 1.5];
    let held = 0;
    for (let seed = 0; seed < runs; seed++) {
      const [low, high] = medianInterval(sample(51, seed));
      if (low <= trueMedian && trueMedian <= high) held++;
    }
    assert.ok(held / runs > 0.93 && held / runs < 0.985, `${held} of ${runs}`);
  });

  test("contains the median of the samples", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 60 }), (values) => {
        const [low, high] = medianInterval(values);
        assert.ok(low <= median(values) && median(values) <= high);
      }),
    );
  });
});

suite("createMetric()", () => {
  test("sums samples up, with the deviation of a sample", () => {
    const metric = createMetric("ns", [2, 4, 4, 4, 5, 5, 7, 9]);
    assert.deepEqual([metric.unit, metric.median, metric.mean], ["ns", 4.5, 5]);
    assert.ok(Math.abs(metric.deviation - 2.138) < 0.001);
    assert.equal(createMetric("B", [3]).deviation, 0);
  });

  test("refuses no samples, and one that is not finite", () => {
    for (const samples of [[], [1, Number.NaN], [Number.POSITIVE_INFINITY]]) {
      assert.throws(() => createMetric("ns", samples), RangeError);
    }
  });
});

suite("thinSamples()", () => {
  test("keeps as many as asked for, all of them samples, and their median and spread", () => {
    const samples = sample(10_000, 1);
    const thinned = thinSamples(samples, 64);
    assert.equal(thinned.length, 64);
    assert.ok(thinned.every((value) => samples.includes(value)));
    for (const share of [0.1, 0.5, 0.9]) {
      const [all, few] = [samples, thinned].map((values) =>
        quantile(
          [...values].sort((a, b) => a - b),
          share,
        ),
      );
      assert.ok(Math.abs((all ?? 0) - (few ?? 0)) < 0.02);
    }
  });

  test("leaves few samples as they are, in their order", () => {
    assert.deepEqual(thinSamples([3, 1, 2], 3), [3, 1, 2]);
  });
});

suite("compareMedians()", () => {
  test("finds a factor, and gives the same interval each time", () => {
    const [base, head] = [createMetric("ns", sample(101, 1)), createMetric("ns", sample(101, 2, 2))];
    const first = compareMedians(base, head);
    assert.ok(first !== undefined && first.interval[0] < 2 && first.interval[1] > 2);
    assert.ok(first.interval[1] - first.interval[0] < 0.6);
    assert.deepEqual(compareMedians(base, head), first);
  });

  test("holds 1 in about 95 of 100 pairs of equal runs", () => {
    let held = 0;
    for (let seed = 0; seed < 400; seed++) {
      const ratio = compareMedians(createMetric("ns", sample(41, seed)), createMetric("ns", sample(41, seed + 10_000)));
      if (ratio !== undefined && ratio.interval[0] <= 1 && ratio.interval[1] >= 1) held++;
    }
    assert.ok(held >= 360 && held <= 399, `${held} of 400`);
  });

  test("is as narrow for thinned samples as for all of them", () => {
    const [base, head] = [sample(2_000, 1), sample(2_000, 2)].map((samples) => createMetric("ns", samples));
    assert.ok(base !== undefined && head !== undefined);
    const thin = (metric: typeof base) => ({ ...metric, samples: thinSamples(metric.samples, 200), sampleCount: 2_000 });
    const [full, thinned] = [compareMedians(base, head), compareMedians(thin(base), thin(head))];
    assert.ok(full !== undefined && thinned !== undefined);
    const width = ({ interval }: typeof full): number => interval[1] - interval[0];
    assert.ok(width(thinned) < 1.5 * width(full) && width(thinned) > width(full) / 1.5);
  });

  test("has no ratio to 0", () => {
    assert.equal(compareMedians(createMetric("B", [0, 0]), createMetric("B", [1])), undefined);
  });
});
