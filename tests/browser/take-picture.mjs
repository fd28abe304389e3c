// A picture of a page, for the documentation: node take-picture.mjs PAGE PICTURE [WIDTH HEIGHT [KEYS...]]
// where keys are pressed first: ArrowRight steps a replay.
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [page, picture, width = "1000", height = "700", ...keys] = process.argv.slice(2);
const browser = await launch();
const context = await browser.newContext({ viewport: { width: +width, height: +height }, reducedMotion: "reduce" });
const shown = await context.newPage();
await shown.goto(pathToFileURL(page).href);
for (const key of keys) await shown.keyboard.press(key);
await shown.screenshot({ path: picture });
await browser.close();
