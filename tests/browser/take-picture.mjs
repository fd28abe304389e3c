// A picture of a page, for the documentation: node take-picture.mjs PAGE PICTURE [WIDTH HEIGHT [KEYS...]]
// where keys are pressed first: ArrowRight steps a replay.  With PART=SELECTOR in the environment it is a picture of that
// part of the page, all of it, and with DARK=1 in dark colours.
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [page, picture, width = "1000", height = "700", ...keys] = process.argv.slice(2);
const browser = await launch();
const margin = 12; // around a part
const { PART: part, DARK: dark } = process.env;
const context = await browser.newContext({ viewport: { width: +width, height: +height }, reducedMotion: "reduce",
  colorScheme: dark ? "dark" : "light" });
const shown = await context.newPage();
await shown.goto(pathToFileURL(page).href);
for (const key of keys) await shown.keyboard.press(key);
if (part) {
  const box = await shown.locator(part).first().boundingBox();
  const clip = { x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height: box.height + 2 * margin };
  await shown.screenshot({ path: picture, fullPage: true, clip });
} else {
  await shown.screenshot({ path: picture });
}
await browser.close();
