// Replays: what is shown is what was played, step by step, by keys, buttons and by itself.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { contrast, launch, open, picture, readJSON } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/* What is below each block, 0 for the ground, of towers from bottom to top. */
const belowOf = (towers, objects) => {
  const below = Array(objects).fill(0);
  for (const tower of towers) tower.forEach((block, i) => { below[block - 1] = i > 0 ? tower[i - 1] : 0; });
  return below;
};

/* A state of an episode's JSON, as the page has it. */
const states = {
  sort: (state) => state.array,
  path: (state) => [state.start],
  blocks: (state, episode) => belowOf(state.start, episode.objects),
};

const shown = async (page) => {
  const data = await page.locator(".replay").evaluate((figure) => ({ ...figure.dataset }));
  return { step: +data.step, state: JSON.parse(data.state), solved: data.solved === "true" };
};

/* Middles of the elements with a data attribute, by its value. */
const places = (page, name) => page.evaluate((attribute) => {
  const found = {};
  for (const element of document.querySelectorAll(`.replay [${attribute}]`)) {
    const box = element.getBoundingClientRect();
    found[element.getAttribute(attribute)] = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }
  return found;
}, name);

/* That the picture, once it is at rest, is one of the state. */
const pictures = {
  async sort(page, state) {
    const bars = await places(page, "data-value");
    const order = Object.keys(bars).map(Number).sort((a, b) => bars[a].x - bars[b].x);
    assert.deepEqual(order, state);
  },
  async path(page, [state]) {
    const [nodes, ring] = [await places(page, "data-node"), await places(page, "data-node-current")];
    assert.ok(Math.hypot(nodes[state].x - ring[state].x, nodes[state].y - ring[state].y) < 3);
  },
  async blocks(page, state) {
    const blocks = await places(page, "data-block");
    const ground = Math.max(...Object.values(blocks).map((block) => block.y));
    state.forEach((below, index) => {
      const block = blocks[index + 1];
      if (below === 0) return assert.ok(Math.abs(block.y - ground) < 2, `block ${index + 1} is on the ground`);
      assert.ok(Math.abs(block.x - blocks[below].x) < 2, `block ${index + 1} is over ${below}`);
      assert.ok(block.y < blocks[below].y, `block ${index + 1} is above ${below}`);
    });
  },
};

for (const game of ["sort", "path", "blocks"]) {
  test(`${game}: every step by keyboard is what was played`, async () => {
    const episode = readJSON(`${game}.json`);
    const page = await open(browser, `${game}.html`, { reducedMotion: "reduce" });
    for (let step = 0; step <= episode.moves; step++) {
      const now = await shown(page);
      const state = step < episode.moves ? episode.steps[step].state : episode.final;
      assert.equal(now.step, step);
      assert.deepEqual(now.state, states[game](state, episode));
      await pictures[game](page, now.state);
      if (step === Math.min(3, episode.moves - 1)) await picture(page, game);
      await page.keyboard.press("ArrowRight");
    }
    const end = await shown(page);
    assert.equal(end.step, episode.moves);
    assert.equal(end.solved, episode.solved);
    const said = await page.locator(".replay-status").textContent();
    assert.match(said, episode.solved ? /\bsolved in \d+ moves?/ : /not solved within \d+ moves?/);
    await page.keyboard.press("Home");
    assert.equal((await shown(page)).step, 0);
    await page.keyboard.press("End");
    assert.equal((await shown(page)).step, episode.moves);
    await page.keyboard.press("ArrowLeft");
    assert.equal((await shown(page)).step, episode.moves - 1);
    await picture(page, `${game}-end`);
    await page.check();
  });
}

test("keys that something else has a use for do not move the replay", async () => {
  const page = await open(browser, "sort.html", { reducedMotion: "reduce" });
  await page.evaluate(() => {
    const other = document.createElement("div");
    other.tabIndex = 0;
    document.querySelector("main").append(other);
    other.focus();
  });
  await page.keyboard.press("ArrowRight");
  assert.equal((await shown(page)).step, 0);
  await page.evaluate(() => {
    document.activeElement.blur();
    document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
  });
  await page.keyboard.press("ArrowRight");
  assert.equal((await shown(page)).step, 0);
  await page.keyboard.press("ArrowRight");
  assert.equal((await shown(page)).step, 1);
  await page.check();
});

test("the choices of a step are those of the agent", async () => {
  const episode = readJSON("sort.json");
  const page = await open(browser, "sort.html", { reducedMotion: "reduce" });
  const first = episode.steps[0];
  const row = await page.locator(".replay-choices li").first().textContent();
  assert.ok(row.includes(`slots ${first.move.join(" and ")}`), row);
  await page.check();
});

test("it plays by itself, stops, and goes on to the end", async () => {
  const episode = readJSON("long.json");
  const page = await open(browser, "long.html");
  for (let i = 0; i < 3; i++) await page.keyboard.press("+");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => +document.querySelector(".replay").dataset.step >= 5);
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const times = [];
    const look = (time) => {
      times.push(time);
      if (time - times[0] < 2000) requestAnimationFrame(look);
      else resolve({ count: times.length - 1, seconds: (time - times[0]) / 1000 });
    };
    requestAnimationFrame(look);
  }));
  console.log(`${(frames.count / frames.seconds).toFixed(1)} frames a second, ${episode.moves} moves`);
  await page.keyboard.press("Space");
  const stopped = (await shown(page)).step;
  await page.waitForTimeout(400);
  assert.equal((await shown(page)).step, stopped);
  await page.keyboard.press("Space");
  await page.waitForFunction((last) => +document.querySelector(".replay").dataset.step === last, episode.moves,
    { timeout: 60000 });
  assert.equal((await shown(page)).solved, true);
  await page.check();
});

test("on a phone, in the dark, nothing is wider than the screen", async () => {
  for (const name of ["sort", "path", "blocks", "long"]) {
    const page = await open(browser, `${name}.html`,
      { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true, reducedMotion: "reduce" });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${name} is ${width} pixels wide`);
    const [button] = await page.locator(".replay button").all();
    await button.tap();
    await picture(page, `${name}-phone`);
    await page.check();
  }
});

test("the bars of choices can be seen, however improbable all moves are", async () => {
  const page = await open(browser, "long.html", { reducedMotion: "reduce" });
  const widths = await page.locator(".replay-choices li:not(.empty)").evaluateAll((rows) => rows.map((row) =>
    row.querySelector(".replay-bar span").getBoundingClientRect().width / row.querySelector(".replay-bar").getBoundingClientRect().width));
  assert.ok(Math.abs(Math.max(...widths) - 1) < 0.01, `bars: ${widths}`);
  await page.check();
});

test("all towers stand on one ground, on any screen", async () => {
  for (const [kind, viewport] of Object.entries({ wide: { width: 1200, height: 900 }, phone: { width: 390, height: 800 } })) {
    for (const name of ["blocks", "blocks-50"]) {
      const page = await open(browser, `${name}.html`, { viewport, reducedMotion: "reduce" });
      assert.equal(await page.locator(".replay-ground").count(), 2, `${name}, ${kind}`);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width);
      const episode = readJSON(`${name}.json`);
      for (let step = 0; step < Math.min(4, episode.moves); step++) {
        const state = (await shown(page)).state;
        await pictures.blocks(page, state);
        const [moved] = episode.steps[step].move, legal = episode.steps[step].legal;
        const box = await page.locator(`[data-block="${moved || 1}"]`).boundingBox();
        const stage = await page.locator(".replay-stage").boundingBox();
        if (moved > 0 && legal && kind === "wide")
          assert.ok(box.x >= stage.x - 1 && box.x + box.width <= stage.x + stage.width + 1, "what moves is in view");
        await page.keyboard.press("ArrowRight");
      }
      await picture(page, `${name}-${kind}`);
      await page.check();
    }
  }
});

test("edges stand out from the ground, light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, "path.html", { colorScheme, reducedMotion: "reduce" });
    const colours = await page.evaluate(() => [getComputedStyle(document.querySelector(".replay-edge")).stroke,
      getComputedStyle(document.body).backgroundColor]);
    assert.ok(contrast(...colours) >= 3, `${colorScheme}: ${contrast(...colours)}`);
    await picture(page, `path-${colorScheme}`);
    await page.check();
  }
});

test("without scripts there are pictures and moves to read", async () => {
  const episode = readJSON("blocks.json");
  const page = await open(browser, "blocks.html", { javaScriptEnabled: false });
  assert.equal(await page.locator(".replay svg").count(), 3);
  assert.equal(await page.locator(".replay-moves li").count(), episode.moves);
  await page.check();
});
