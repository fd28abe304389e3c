// Reports: nothing goes wrong in them, tables sort, charts tell their numbers, and names can do no harm.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, picture, readJSON } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const column = async (page, number) =>
  (await page.locator(`table.sortable tbody tr td:nth-child(${number})`).allTextContents()).map((text) => text.trim());

test("every kind of report opens in silence, light and dark, wide and narrow", async () => {
  for (const name of ["report", "broken", "many", "names"]) {
    for (const [kind, options] of Object.entries({
      wide: {},
      phone: { viewport: { width: 360, height: 740 }, colorScheme: "dark" },
    })) {
      const page = await open(browser, `${name}.html`, options);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= (options.viewport?.width ?? 1200), `${name}, ${kind}: ${width} pixels wide`);
      await picture(page, `${name}-${kind}`);
      await page.check();
    }
  }
});

test("the summary has the runs' results", async () => {
  const runs = readJSON("runs/results.json").runs;
  const page = await open(browser, "report.html");
  assert.equal(await page.locator("table.sortable tbody tr").count(), runs.length);
  for (const run of runs) {
    const row = page.locator("table.sortable tbody tr").filter({ hasText: run.task }).nth(run.seed - 1);
    assert.match(await row.textContent(), run.graduated ? /yes|graduated/i : /no/i);
  }
  await page.check();
});

test("headings sort the table, one way and the other, by click and by key", async () => {
  const page = await open(browser, "many.html");
  const heads = await page.locator("table.sortable thead th").allTextContents();
  const seed = heads.findIndex((head) => /seed/i.test(head)) + 1;
  const button = page.locator(`table.sortable thead th:nth-child(${seed}) button`);
  await button.click();
  const up = (await column(page, seed)).map(Number);
  assert.equal(up.length, 130);
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  await button.focus();
  await page.keyboard.press("Enter");
  const down = (await column(page, seed)).map(Number);
  assert.deepEqual(down, [...down].sort((a, b) => b - a));
  assert.notDeepEqual(up, down);
  assert.equal(await page.locator(`table.sortable thead th:nth-child(${seed})`).getAttribute("aria-sort"), "descending");
  await page.check();
});

test("charts tell the numbers under the pointer, and by arrow keys", async () => {
  const page = await open(browser, "report.html");
  const plot = page.locator(".plot").first();
  const data = JSON.parse(await plot.locator("script").textContent());
  await plot.scrollIntoViewIfNeeded();
  const frame = await plot.locator("svg").boundingBox();
  const scale = frame.width / (await plot.locator("svg").evaluate((svg) => svg.viewBox.baseVal.width));
  const last = data.x.length - 1;
  const at = (index) => frame.x + scale * (data.left +
    (data.x[index] - data.from) / (data.to - data.from) * (data.right - data.left));
  const middle = frame.y + frame.height / 2;
  for (const index of [0, Math.floor(last / 2), last]) {
    await page.mouse.move(at(index), middle);
    const box = plot.locator(".box");
    assert.match(await box.textContent(), new RegExp(`^${Math.round(data.x[index]).toLocaleString("en")} `));
    for (const line of data.lines) assert.ok((await box.textContent()).includes(line.name));
  }
  await picture(page, "chart-pointer");
  await page.mouse.move(0, 0);
  await plot.focus();
  await page.keyboard.press("Home");
  const first = await plot.locator(".box").textContent();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await plot.locator(".box").textContent(), first);
  await page.check();
});

test("without scripts, text and curves are there", async () => {
  const page = await open(browser, "report.html", { javaScriptEnabled: false });
  assert.ok((await page.locator("svg path").count()) > 4);
  assert.equal(await page.locator("table.sortable tbody tr").count(), 4);
  await page.check();
});

test("replays in a report each step for themselves", async () => {
  const page = await open(browser, "report.html", { reducedMotion: "reduce" });
  const replays = page.locator(".replay");
  assert.ok((await replays.count()) >= 2);
  await replays.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await replays.nth(0).getAttribute("data-step"), "0");
  assert.equal(await replays.nth(1).getAttribute("data-step"), "1");
  await page.check();
});

test("names from files are shown and not obeyed", async () => {
  const page = await open(browser, "names.html");
  await page.locator(".matrix").first().locator("..").focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.locator(".reading").first().textContent(), /liked\(<script>window\.harm = 1<\/script>\): truth no/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".reading").first().textContent(), /liked\("quoted" & 'single'\): truth yes/);
  assert.equal(await page.evaluate(() => window.harm), undefined);
  assert.equal(await page.locator("main img, main b, main i").count(), 0);
  await page.check();
});

test("what is broken or unfinished is said", async () => {
  const page = await open(browser, "broken.html");
  const text = await page.locator("main").textContent();
  assert.match(text, /cut off/);
  await page.check();
});

test("130 runs: size and time to draw", async () => {
  const size = statSync(join(process.env.FOLDER, "many.html")).size;
  assert.ok(size < 2e6, `${size} bytes`);
  const page = await open(browser, "many.html");
  const drawn = await page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))));
  console.log(`130 runs: ${(size / 1e6).toFixed(2)} MB, drawn after ${(drawn / 1000).toFixed(2)} s`);
  await page.check();
});
