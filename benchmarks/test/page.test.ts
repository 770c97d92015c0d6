import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS, CHROMIUM_HINT, ensureChromium } from "../../scripts/chromium-binary.mjs";
import { writeReport } from "../src/report.ts";
import { craftResults } from "./support/crafted-results.ts";

// The page as a person opens it: a file, in a browser.
const executablePath = ensureChromium();
const WIDTHS = [375, 1_280];
const CHARTS_AT_LEAST = 14;

interface ChartLook {
  readonly id: string;
  readonly drawings: number;
  readonly width: number;
  readonly height: number;
  readonly marks: number;
  readonly titles: number;
  readonly colors: number;
  readonly legend: number;
}

interface PageLook {
  readonly charts: readonly ChartLook[];
  readonly overflow: number;
  readonly tables: number;
  readonly ids: readonly string[];
  readonly ground: string;
  readonly ink: string;
}

const MEASURE = readFileSync(new URL("support/measure-page.js", import.meta.url), "utf8");

function measurePage(page: Page): Promise<PageLook> {
  return page.evaluate<PageLook>(MEASURE);
}

suite("index.html", { skip: executablePath === undefined && `no Chromium: ${CHROMIUM_HINT}` }, () => {
  const folder = mkdtempSync(join(tmpdir(), "tightwire-page-"));
  const address = pathToFileURL(join(folder, "index.html")).href;
  let browser: Browser;
  before(async () => {
    writeReport(new Map(craftResults().map((file) => [file.suite, file])), folder);
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: [...CHROMIUM_FLAGS] });
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function openPage(
    width: number,
    colorScheme: "light" | "dark",
  ): Promise<{ page: Page; requests: string[]; errors: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const [requests, errors]: [string[], string[]] = [[], []];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(address);
    return { page, requests, errors };
  }

  for (const width of WIDTHS) {
    test(`asks for nothing, reports nothing, and fits ${width} px, tables opened`, async () => {
      const { page, requests, errors } = await openPage(width, "light");
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
      const { overflow, tables } = await measurePage(page);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      assert.ok(tables >= 10);
      assert.deepEqual(requests, [address]);
      assert.deepEqual(errors, []);
      await page.close();
    });

    test(`draws each chart once at ${width} px, with marks that say their numbers`, async () => {
      const { page } = await openPage(width, "light");
      const { charts } = await measurePage(page);
      assert.ok(charts.length >= CHARTS_AT_LEAST);
      for (const { id, drawings, width: drawn, height, marks, titles, colors, legend } of charts) {
        assert.equal(drawings, 1, id);
        assert.ok(drawn > 300 && height > 300, `${id}: ${drawn} × ${height}`);
        assert.ok(marks >= legend && titles >= legend && legend > 1, `${id}: ${marks} marks of ${legend} series`);
        assert.ok(colors > 1, id);
      }
      await page.close();
    });
  }

  test("has charts of size against speed, throughput by size and codec, break-even by link, and the ratio to raw", async () => {
    const { page } = await openPage(1_280, "light");
    const ids = (await measurePage(page)).charts.map(({ id }) => id);
    for (const part of ["size-speed", "throughput", "break-even", "redis-ratio"])
      assert.ok(
        ids.some((id) => id.includes(part)),
        part,
      );
    await page.close();
  });

  test("is light on dark where the person wants it dark", async () => {
    const looks = [];
    for (const scheme of ["light", "dark"] as const) {
      const { page } = await openPage(1_280, scheme);
      const { ground, ink } = await measurePage(page);
      looks.push([ground, ink]);
      await page.close();
    }
    assert.deepEqual(looks, [
      ["rgb(255, 255, 255)", "rgb(28, 29, 31)"],
      ["rgb(23, 24, 26)", "rgb(233, 233, 234)"],
    ]);
  });

  test("has no two elements of one id", async () => {
    const { page } = await openPage(1_280, "light");
    const { ids } = await measurePage(page);
    assert.ok(ids.length > CHARTS_AT_LEAST);
    assert.equal(new Set(ids).size, ids.length);
    await page.close();
  });
});
