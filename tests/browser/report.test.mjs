// Reports: nothing goes wrong in them, tables sort, charts tell their numbers, and names can do no harm.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { contrast, folder, launch, open, picture, readJSON } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const column = async (page, number) =>
  (await page.locator(`table.sortable tbody tr td:nth-child(${number})`).allTextContents()).map((text) => text.trim());

test("every kind of report opens in silence, light and dark, wide and narrow", async () => {
  for (const name of ["report", "broken", "many", "program", "digits", "names", "names-long"]) {
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
  const rows = await page.locator("table.sortable tbody tr").evaluateAll((all) => all.map((row) =>
    [...row.cells].map((cell) => ({ text: cell.textContent.trim(), key: cell.dataset.key }))));
  for (const run of runs) {
    const [, , outcome, rounds, amount, restarts, seconds, program, ...tests] =
      rows.find(([task, seed]) => task.text === run.task && seed.text === String(run.seed));
    if (run.program?.found) assert.ok(program.text.startsWith(`${run.program.literals} literal`), program.text);
    assert.match(outcome.text, run.graduated ? /^\u2713 graduated$/ : /^\u2717 did not graduate$/);
    assert.equal(+rounds.key, run.epochs ?? run.exams);
    assert.equal(amount.text, (run.examples ?? run.episodes).toLocaleString("en"));
    assert.equal(+restarts.key, run.restarts);
    assert.ok(Math.abs(seconds.key - run.seconds) < 1e-6 * run.seconds);
    run.tests.forEach((test, i) => {
      assert.ok(Math.abs(tests[2 * i].key - test.share) < 1e-8, `${run.task}: ${tests[2 * i].key}, ${test.share}`);
      assert.equal(/100 %$/.test(tests[2 * i].text), test.share === 1);
      assert.equal(tests[2 * i].text.startsWith("\u2717"), !test.flawless);
      if (test.moves !== undefined) assert.equal(tests[2 * i + 1].text, test.moves.toFixed(2));
    });
  }
  for (const task of new Set(runs.map((run) => run.task))) {
    const alike = runs.filter((run) => run.task === task), done = alike.filter((run) => run.graduated);
    const exact = done.filter((run) => run.tests.every((test) => test.flawless));
    const row = await page.locator("table:not(.sortable) tbody tr").filter({ hasText: task }).textContent();
    assert.ok(row.includes(`${done.length} / ${alike.length}${exact.length} / ${alike.length}`), row);
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

test("100 % is said of 1 alone, and the numbers have digits enough", async () => {
  const page = await open(browser, "report.html");
  const plot = page.locator(".plot").nth(1);
  await plot.locator("script").evaluate((script) => {
    const data = JSON.parse(script.textContent);
    data.x = [1, 2, 3, 4];
    data.lines = [{ name: "a", y: [1, 0.9999999, 0.57, 0] }];
    script.textContent = JSON.stringify(data);
  });
  await plot.focus();
  await page.keyboard.press("Home");
  for (const said of ["1 examplesa: 100 %", "2 examplesa: 99.99999 %", "3 examplesa: 57 %", "4 examplesa: 0 %"]) {
    assert.equal(await plot.locator(".box").textContent(), said);
    await page.keyboard.press("ArrowRight");
  }
  await page.check();
});

test("the arrow keys keep the cell in view", async () => {
  const page = await open(browser, "report.html", { viewport: { width: 240, height: 600 } });
  const scroll = page.locator(".matrix").first().locator("..");
  await scroll.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
  assert.ok((await scroll.evaluate((element) => element.scrollLeft)) > 0);
  await page.check();
});

test("without scripts, text and curves are there", async () => {
  const page = await open(browser, "report.html", { javaScriptEnabled: false });
  assert.ok((await page.locator("svg path").count()) > 4);
  assert.equal(await page.locator("table.sortable tbody tr").count(), 4);
  assert.equal(await page.locator("table.sortable button").count(), 0);
  assert.doesNotMatch(await page.locator("main").textContent(), /heading sorts|arrow keys/);
  const regions = page.locator(".plot, .scroll");
  assert.equal(await regions.count(), await page.locator(".plot[role][aria-label], .scroll[role][aria-label]").count());
  await page.check();
});

test("the rules of a program stand first, and a click on a conclusion unfolds its derivation", async () => {
  const page = await open(browser, "program.html");
  const section = page.locator("section").filter({ has: page.locator(".rules") }).first();
  assert.match(await section.locator(".rules").textContent(), /^has_father\(X\) :- father\(X, _\)\.\n$/);
  assert.match(await section.locator(".proof").textContent(), /^\u2713 proved: the model computes these rules/);
  assert.ok(await section.evaluate((all) =>
    all.querySelector(".rules").compareDocumentPosition(all.querySelector(".chart")) & Node.DOCUMENT_POSITION_FOLLOWING));
  const tree = (cell) => page.locator("#" + cell);
  const links = section.locator(".matrix a");
  const [first, second] = (await links.evaluateAll((all) => all.map((link) => link.getAttribute("href").slice(1))));
  assert.equal(await tree(first).isVisible(), false);
  await links.nth(0).locator("path").click();
  assert.equal(await tree(first).isVisible(), true);
  assert.match(await tree(first).textContent(), /^has_father\((\w+)\)\n {4}father\(\1, \w+\) {2}\(fact\)\n$/);
  /* By keys to the next conclusion. */
  const data = JSON.parse(await section.locator(".matrix script").textContent());
  const scroll = section.locator(".matrix").locator("..");
  const reading = section.locator(".reading");
  const wanted = `has_father(${data.names[+second.split("-").pop()]}): truth yes`;
  await scroll.focus();
  for (let i = 0; i < data.columns; i++) await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < data.columns && !(await reading.textContent()).startsWith(wanted); i++) await page.keyboard.press("ArrowRight");
  assert.equal(await tree(second).isVisible(), false);
  await page.keyboard.press("Enter");
  assert.equal(await tree(second).isVisible(), true);
  await picture(page, "derivations");
  await page.check();
});

test("without scripts a click leads to the derivation too", async () => {
  const page = await open(browser, "program.html", { javaScriptEnabled: false });
  const link = page.locator(".matrix a").first();
  const tree = page.locator("#" + (await link.getAttribute("href")).slice(1));
  assert.equal(await tree.isVisible(), false);
  await link.locator("path").click();
  assert.equal(await tree.isVisible(), true);
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

test("a graph of digits says of each node what its table says", async () => {
  const page = await open(browser, "digits.html");
  const graphs = page.locator(".digit-graph");
  assert.ok((await graphs.count()) >= 1);
  for (const graph of await graphs.all()) {
    await graph.locator("summary").click();
    const rows = await graph.locator("tbody tr").evaluateAll((all) => all.map((row) =>
      [...row.cells].map((cell) => cell.textContent)));
    const nodes = await graph.locator(".scroll g.node").evaluateAll((all) => all.map((node) => ({
      said: node.querySelector("title").textContent,
      words: [...node.querySelectorAll(":scope > text")].map((text) => text.textContent).join(", "),
      wrong: node.classList.contains("wrong"),
      tagged: node.querySelector(".tag") !== null,
      ink: node.querySelectorAll(".pixels path").length,
    })));
    assert.equal(nodes.length, 10);
    let wrong = 0;
    for (const [name, taken, truth, concluded, probability] of rows) {
      const node = nodes.find((one) => one.said.startsWith(name + ": "));
      const answer = concluded.replace("\u2717 ", "");
      assert.equal(node.wrong, truth !== answer, name);
      assert.equal(concluded.startsWith("\u2717"), node.wrong, name);
      assert.equal(node.words, node.wrong ? `\u2717 ${answer} ${probability}, truth: ${truth}` : `\u2713 ${answer} ${probability}`);
      assert.equal(node.tagged, taken === "yes", name);
      assert.ok(node.ink >= 2, name);
      wrong += node.wrong;
    }
    const caption = await graph.locator("figcaption").textContent();
    assert.match(caption, wrong === 0 ? /no error \u2713$/ : new RegExp(`: ${wrong} errors? \u2717$`));
  }
  await page.check();
});

test("no words of a graph lie on a digit, on each other, or outside the picture", async () => {
  const page = await open(browser, "digits.html");
  for (const svg of await page.locator(".digit-graph .scroll svg").all()) {
    const [frame, words, tiles] = await svg.evaluate((picture) => {
      const box = (element) => element.getBoundingClientRect().toJSON();
      const all = (selector) => [...picture.querySelectorAll(selector)].map(box);
      return [box(picture), all(".node > text"), all(".node > rect")];
    });
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3;
    words.forEach((word, i) => {
      assert.ok(word.left >= frame.left && word.right <= frame.right && word.top >= frame.top && word.bottom <= frame.bottom);
      tiles.forEach((tile) => assert.ok(apart(word, tile)));
      words.slice(0, i).forEach((other) => assert.ok(apart(word, other)));
    });
  }
  await page.check();
});

test("what LeNet sees: numbers can be read on their colours, and the best output is named", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, "digits.html", { colorScheme });
    const table = page.locator("table.seen");
    assert.equal(await table.locator("tbody tr").count(), 10);
    assert.equal(await table.locator("tbody .heat").count(), 100);
    const colours = await table.locator(".heat").evaluateAll((cells) =>
      cells.map((cell) => [getComputedStyle(cell).color, getComputedStyle(cell).backgroundColor]));
    const contrasts = colours.map(([ink, ground]) => contrast(ink, ground));
    assert.ok(Math.min(...contrasts) >= 4.5, `${colorScheme}: ${Math.min(...contrasts)}`);
    const best = await table.locator("tr.best").evaluate((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    const said = await page.locator(".sense figcaption strong").textContent();
    const [, output, digit] = said.match(/^Output (\d+) \(\u25b8\) separates (\d) from the other digits$/);
    assert.equal(best[0], `\u25b8 ${output}`);
    const means = best.slice(1, 11).map(Number), others = means.filter((_, i) => i !== +digit);
    assert.ok(others.every((mean) => Math.abs(mean - means[digit]) > 0.5), best.join(" "));
    assert.ok((await table.locator(".digits svg[role=img][aria-label]").count()) >= 6);
    await page.locator(".perceived").screenshot({ path: join(folder, "..", "pictures", `perceived-${colorScheme}.png`) });
    await page.check();
  }
});

test("a table that is cut on a phone shows that there is more", async () => {
  const page = await open(browser, "report.html", { viewport: { width: 390, height: 800 } });
  const cut = page.locator("#runs .scroll");
  assert.ok(await cut.evaluate((box) => box.scrollWidth > box.clientWidth));
  const edge = async () => {
    await cut.scrollIntoViewIfNeeded();
    const box = await cut.boundingBox();
    return page.screenshot({ clip: { x: box.x + box.width - 6, y: box.y + 2, width: 6, height: 8 } });
  };
  const before = await edge();
  await cut.evaluate((box) => { box.scrollLeft = box.scrollWidth; });
  assert.ok(!before.equals(await edge()), "the shade is gone at the end");
  await picture(page, "report-390");
  await page.check();
});

test("no other script or style than the page's own is obeyed", async () => {
  for (const name of ["report.html", "sort.html"]) {
    const page = await open(browser, name);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(await page.locator("[style]:not(.replay *):not(.box)").count(), 0);
    const refused = await page.evaluate(async () => {
      const found = [];
      document.addEventListener("securitypolicyviolation", (event) => found.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.harm = 1";
      document.body.append(script);
      const styled = document.createElement("p");
      styled.setAttribute("style", "color: red");
      document.body.append(styled);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return found;
    });
    assert.deepEqual(refused.sort(), ["script-src-elem", "style-src-attr"]);
    assert.equal(await page.evaluate(() => window.harm), undefined);
    await page.context().close();
  }
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
  const size = statSync(join(folder, "many.html")).size;
  assert.ok(size < 2e6, `${size} bytes`);
  const page = await open(browser, "many.html");
  const drawn = await page.evaluate(() => new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))));
  console.log(`130 runs: ${(size / 1e6).toFixed(2)} MB, drawn after ${(drawn / 1000).toFixed(2)} s`);
  await page.check();
});
